/**
 * Of every table of a PostgreSQL: nothing but what the test says collects its statistics. The server would do
 * so once a minute, in the middle of a test and of half-filled tables, and plans follow from them.
 */
export const storeStatistics = `DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', each.tablename);
  END LOOP;
END $$`;
