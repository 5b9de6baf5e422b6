/** Hearing of what other processes changed: a connection that listens, and proves again and again that it still hears. */
import pg from "pg";

export const changeChannel = "postern_changes";

/** Milliseconds. */
const heartbeatInterval = 300;
/** Past this many milliseconds without a heartbeat nothing cached is believed. */
const heartbeatLimit = 1000;

export interface ChangeListener {
  /** True when no change made by another process more than a second ago can have been missed. */
  isCurrent(): boolean;
  close(): Promise<void>;
}

/**
 * Listens for notices on `changeChannel` whose payload is not `self`, and calls `forget` for each, and whenever some may
 * have been missed. Rejects when the database cannot be reached now; later it is tried again and again.
 */
export async function listenForChanges(options: {
  url: string;
  self: string;
  forget: () => void;
  onError: (error: Error) => void;
}): Promise<ChangeListener> {
  const { url, self, forget, onError } = options;
  let heardAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let listening: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** A round trip on the listening connection proves that every notice sent before it has arrived. */
  async function beat(client: pg.Client): Promise<void> {
    const sentAt = performance.now();
    await client.query("SELECT 1");
    heardAt = sentAt;
  }

  async function listen(): Promise<void> {
    // A connection that is dead without saying so must fail, or no other would be tried.
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      query_timeout: 2000,
    });
    client.on("error", onError);
    client.on("notification", ({ payload }) => {
      if (payload !== self) forget();
    });
    listening = client;
    await client.connect();
    await client.query(`LISTEN ${changeChannel}`);
    // What changed while nobody listened is unknown.
    forget();
    await beat(client);
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      try {
        if (listening === undefined) await listen();
        else await beat(listening);
      } catch (error) {
        onError(error as Error);
        listening?.end().catch(() => {});
        listening = undefined;
      }
      if (!closed) schedule();
    }, heartbeatInterval);
    timer.unref();
  }

  try {
    await listen();
  } catch (error) {
    await listening?.end().catch(() => {});
    throw error;
  }
  schedule();
  return {
    isCurrent: () => performance.now() - heardAt < heartbeatLimit,
    async close() {
      closed = true;
      clearTimeout(timer);
      await listening?.end().catch(() => {});
    },
  };
}
