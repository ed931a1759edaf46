//! Receipts, invoices and forms as OCR gives them, all made up: what is sure of them, and nothing else.

use um_model::belief::CandidateObject;
use um_rules::{Context, claims};

/// The claims of a text, each as `predicate | object`, and the one subject that all of them have.
fn read(text: &str, title: Option<&str>) -> (Vec<String>, Vec<String>) {
    let mut subjects = Vec::new();
    let mut said = Vec::new();
    for claim in claims(text, &Context { title, ..Context::default() }) {
        let object = match &claim.object {
            CandidateObject::Entity(mention) => mention.name.clone(),
            CandidateObject::Value { text, .. } => text.clone(),
        };
        said.push(format!("{} | {object}", claim.predicate));
        if !subjects.contains(&claim.subject.name) {
            subjects.push(claim.subject.name);
        }
    }
    said.sort();
    (subjects, said)
}

fn check(text: &str, subject: &str, expected: &[&str]) {
    let (subjects, said) = read(text, Some("scan-0042.jpg"));
    let wanted: Vec<&str> = if expected.is_empty() { Vec::new() } else { vec![subject] };
    assert_eq!(
        (subjects, said),
        (wanted.into_iter().map(str::to_owned).collect(), expected.iter().map(|s| (*s).to_owned()).collect()),
        "{text}"
    );
}

#[test]
fn receipts_name_shop_date_and_total() {
    // A plain one: what cash and change leave is the total.
    check(
        "FERNHILL HARDWARE SDN BHD\n12, JALAN MAWAR 3,\n50000 KUALA LUMPUR\nTel: 03-5550101\nINVOICE NO: FH-20418\nDate: 14/03/2019 17:22\nHammer 1 x 18.50 18.50\nTape 2 x 3.00 6.00\nTOTAL 24.50\nCASH 30.00\nCHANGE 5.50\nTHANK YOU",
        "Receipt FH-20418",
        &["date | 2019-03-14", "store | FERNHILL HARDWARE SDN BHD", "total | 24.50"],
    );
    // Tax lines have amounts of their own; the inclusive one is paid.
    check(
        "LOTUS STATIONERY TRADING\nNO 8, JALAN KENANGA\n81300 SKUDAI\nGST ID 000123456789\nTAX INVOICE\nDoc No: LS00044512\nDate 02/11/2018\nCashier USER\nNotebook 4 2.50 10.00\nTotal Sales (Excluding GST) : 10.00\nTotal GST : 0.60\nRounding : 0.00\nTotal Sales (Inclusive of GST) : 10.60\nCASH : 20.00\nChange : 9.40\nGST SUMMARY\nSR 10.00 0.60\nTotal : 10.00 0.60",
        "Receipt LS00044512",
        &["date | 2018-11-02", "store | LOTUS STATIONERY TRADING", "total | 10.60"],
    );
    // The label is noise, the figure is not.
    check(
        "KEDAI BUKU MELATI\nNO 4 JALAN DUKU\n70000 SEREMBAN\nTAX INVOICE\nInvoice No: KB004411\nDate 05/06/2019 Cashier 01\nPen 1 4.00 4.00\nTota1 Sa1es (Exc1uding GST) 4.00\nRounding 0.00\nJ0la! (lnclus1ve) : 4.00\nCASH : 10.00\nChange : 6.00\nTHANK YOU",
        "Receipt KB004411",
        &["date | 2019-06-05", "store | KEDAI BUKU MELATI", "total | 4.00"],
    );
    // Decimals that were torn apart or read as commas, a currency in front, a rounded total.
    check(
        "NINE STARS (M) SDN BHD\nLOT 7, JALAN TERATAI\n-INVOICE-\nBucket 1 X 12.92 12.92\nItem(s) : 1\nTOTAL RM 12, 92\nROUNDING ADJUSTMENT -RM 0.02\nTOTAL ROUNDED RM 12,90\nCASH RM 20.00\nCHANGE RM 7.10\n11-02-19 09:41 SH02",
        "NINE STARS (M) SDN BHD receipt of 2019-02-11",
        &["date | 2019-02-11", "store | NINE STARS (M) SDN BHD", "total | RM 12.90"],
    );
    // The value stands under its label.
    check(
        "RESTORAN DAUN PISANG\n5, JALAN BUNGA\n41000 KLANG\nTel 03-5550123\nReceipt No: 551203\nDate: 21/07/2018\nSet Lunch 2 9.00 18.00\nSub Total\n18.00\nService Tax\n1.80\nTOTAL AMOUNT:\nRM\n19.80\nVisa Card\nThank you",
        "Receipt 551203",
        &["date | 2018-07-21", "store | RESTORAN DAUN PISANG", "total | 19.80"],
    );
    // A date whose marks are misread stands before an hour.
    check(
        "HARBOUR MINIMARKET\n9 QUAY ROAD\nGROSS TAX INVOICE\nMilk 1 2.40\nItem Qty 1\nTOTAL 2.40\nCASH 5.00\nCHANGE 2.60\n07. 05-19 08:15 TILL 2\nTHANKS",
        "HARBOUR MINIMARKET receipt of 2019-05-07",
        &["date | 2019-05-07", "store | HARBOUR MINIMARKET", "total | 2.40"],
    );
}

#[test]
fn what_the_paper_does_not_confirm_is_left_out() {
    // Cash and change leave another sum than the total.
    check(
        "PERNIAGAAN SERI WANGI\nNO 3 JALAN ROS\nTAX INVOICE\nReceipt#: SW00071234\nDate: 09/08/2018\nCashier: USER The 10:11\nSub Total (RM) : 60.10\nTotal GST (RM) : 3.61\nTotal (RM) : 63.11\nGASH : 63.77\nGhange (RM) : 6.00\nGOODS SOLD ARE NOT RETURNABLE",
        "Receipt SW00071234",
        &["date | 2018-08-09", "store | PERNIAGAAN SERI WANGI"],
    );
    // A receipt without shop, number and date has no name, and nothing of it is kept: least of all its cashier.
    check(
        "thank you\nCashier: USER The\nItem Qty Price Amount\nTea 1 2.00 2.00\nTotal 2.00\nCash 2.00\nChange 0.00\nplease come again",
        "",
        &[],
    );
}

#[test]
fn invoices_and_forms_are_read_by_their_fields() {
    check(
        "Invoice No. 20417\nInvoice date: 3 April 2024\nBill to: Marlow Ltd\nSubtotal: EUR 500.00\nVAT: EUR 95.00\nTotal: EUR 595.00\nDue date: 3 May 2024",
        "Invoice 20417",
        &[
            "billed_to | Marlow Ltd",
            "date | 2024-04-03",
            "deadline | 2024-05-03",
            "subtotal | EUR 500.00",
            "tax | EUR 95.00",
            "total | EUR 595.00",
        ],
    );
    check(
        "Patient: Olena Kovalenko\nDate of birth: 11 May 1979\nAllergies: penicillin\nBlood type: A negative",
        "Olena Kovalenko",
        &["allergy | penicillin", "birthday | 1979-05-11", "blood_type | A negative"],
    );
    check(
        "Patient: Olena Kovalenko\nAllergies: penicillin, latex and eggs\nMedication: metformin; ramipril\nDiagnosis: none",
        "Olena Kovalenko",
        &[
            "allergy | eggs",
            "allergy | latex",
            "allergy | penicillin",
            "medication | metformin",
            "medication | ramipril",
        ],
    );
    check("Name: Olena Kovalenko\nPosition: Nurse at Birch Clinic", "Olena Kovalenko", &["works_at | Birch Clinic"]);
    check("Total: 13.20\nCashier: USER", "", &[]);
}
