//! The process that a PDF is read in, alone, for tests. The programs of the product start themselves for this.

fn main() {
    um_providers::run_if_child();
    eprintln!("um-pdf-child is started by the PDF reader and does nothing by itself.");
    std::process::exit(2);
}
