/**
 * Disables the automatic statistics of every table in PostgreSQL, so only the test collects them. Otherwise
 * PostgreSQL would collect them once a minute, possibly while tables are half filled, and query plans depend
 * on them.
 */
export const storeStatistics = `DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', each.tablename);
  END LOOP;
END $$`;
