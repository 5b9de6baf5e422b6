/**
 * Reads lists and reports from the replica, or from the primary if the replica is unusable. Security
 * decisions do not use these reads.
 */
import { UnavailableError } from "../errors.ts";
import type { TableName } from "../records/definition/definition.ts";
import { type Database, databaseOn } from "./database/database.ts";
import { type ListQuery, type ListWanted, listingRules } from "./listing/listing.ts";
import { statisticReads } from "./operation/statistics.ts";
import type { Replica } from "./postgres/replica.ts";

const restAfterFailure = 5000;

const readsOf = (database: Database) => ({ ...listingRules(database), ...statisticReads(database) });
type Reads = ReturnType<typeof readsOf>;

/**
 * Returns the reader of reports. `onReplicaError` is called once per outage of the replica; `clock` returns
 * monotonic milliseconds.
 */
export function reportReads(
  database: Database,
  replica: Replica | undefined,
  onReplicaError: (error: Error) => void,
  clock = () => performance.now(),
): Reads {
  const own = readsOf(database);
  if (replica === undefined) return own;
  const theirs = readsOf(databaseOn(replica.driver));
  let restsUntil = 0;
  let failure: Error | undefined;

  function rest(error: unknown): void {
    restsUntil = clock() + restAfterFailure;
    if (failure === undefined) onReplicaError(error as Error);
    failure = error as Error;
  }

  async function isUsable(): Promise<boolean> {
    if (clock() < restsUntil) return false;
    if (failure !== undefined) restsUntil = clock() + restAfterFailure;
    try {
      await replica?.catchUp();
      [failure, restsUntil] = [undefined, 0];
      return true;
    } catch (error) {
      rest(error);
      return false;
    }
  }

  async function read<R>(work: (reads: Reads) => Promise<R>): Promise<R> {
    if (!(await isUsable())) return work(own);
    try {
      return await work(theirs);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      rest(error);
      return work(own);
    }
  }

  return {
    listPage: <T extends TableName>(table: T, query: ListQuery<T>) =>
      read((reads) => reads.listPage(table, query)),
    glanceAtList: <T extends TableName>(
      table: T,
      query: ListWanted<T>,
      bounds: { readonly limit: number; readonly most_read: number },
    ) => read((reads) => reads.glanceAtList(table, query, bounds)),
    countListed: <T extends TableName>(table: T, query: ListWanted<T>) =>
      read((reads) => reads.countListed(table, query)),
    countsByHour: (...requested) => read((reads) => reads.countsByHour(...requested)),
    busiestApps: (requested) => read((reads) => reads.busiestApps(requested)),
  };
}
