-- The traces of a space are those of its best passages and those that were asked of it, whatever they found: looked up by the space that
-- was named. What it includes comes after it in the trace.
CREATE INDEX idx_traces_asked ON answer_traces(recall_trace ->> '$.spaces[0]') WHERE recall_trace ->> '$.asked.space' IS NOT NULL;
