-- A question that is kept names its space by its id: a name may be another space's by now. The row knows which one was meant when it
-- was saved. What is asked of all spaces names none.
UPDATE saved_searches SET filters = json_set(filters, '$.space', space_id) WHERE json_type(filters, '$.space') = 'text';
