/**
 * Disables automatic statistics of every table in PostgreSQL, so that only the test collects them. The server
 * would do so once a minute, in the middle of a test with half-filled tables, and plans depend on them.
 */
export const storeStatistics = `DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', each.tablename);
  END LOOP;
END $$`;
