/** Stores the rows of the floor in SQLite: one statement per operation, and several requests per commit. */
import { randomBytes } from "node:crypto";
import { closeSync, fdatasync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";

interface TokenRow {
  readonly id: Buffer;
  /** SHA-256 of the token. */
  readonly access: Buffer;
  readonly refresh: Buffer | null;
  readonly client_id: string;
  readonly user_id: string | null;
  readonly nonce: string | null;
  /** In seconds since 1970. */
  readonly expires_at: number;
  readonly scope: string;
}

interface CodeRow extends Pick<TokenRow, "id" | "nonce" | "expires_at"> {
  readonly code: Buffer;
  readonly user_id: string;
}

type Granted = { readonly user_id: string; readonly nonce: string | null };

export interface FloorStore {
  /** Runs `work` in the next commit, and returns its result once that is on disk. */
  commit<T>(work: () => T): Promise<T>;
  addToken(row: TokenRow): void;
  addCode(row: CodeRow): void;
  /** Marks the code as used, and returns whether it was valid before. */
  useCode(code: Buffer): boolean;
  /** Replaces the refresh token, and returns whether it was valid before. */
  rotate(refresh: Buffer): boolean;
  revoke(access: Buffer): void;
  findToken(access: Buffer): Pick<TokenRow, "client_id" | "expires_at" | "scope"> | undefined;
  findUser(access: Buffer): { readonly id: string } | undefined;
  findSession(cookie: Buffer): { readonly user_id: string } | undefined;
  findCode(code: Buffer): Granted | undefined;
  findRefresh(refresh: Buffer): Granted | undefined;
  /** Closes the store after the current commit. */
  close(): Promise<void>;
}

/** Returns sixteen bytes that begin with the time, so that rows are appended to the index. */
export function newId(): Buffer {
  const id = randomBytes(16);
  id.writeUIntBE(Date.now(), 0, 6);
  return id;
}

/** Recreates the database with a user per session. A session is identified by the SHA-256 of its cookie. */
export function floorStore(path: string, sessions: readonly Buffer[]): FloorStore {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE tokens (id BLOB PRIMARY KEY, access BLOB UNIQUE, refresh BLOB UNIQUE, client_id TEXT, user_id TEXT,
      nonce TEXT, expires_at INTEGER, scope TEXT, ended INTEGER DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE codes (id BLOB PRIMARY KEY, code BLOB UNIQUE, user_id TEXT, nonce TEXT, expires_at INTEGER,
      used INTEGER DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE users (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE sessions (cookie BLOB PRIMARY KEY, user_id TEXT) WITHOUT ROWID;
  `);
  const prepare = (sql: string) => database.prepare(sql);
  sessions.forEach((cookie, index) => {
    prepare("INSERT INTO users VALUES (?)").run(`user-${index}`);
    prepare("INSERT INTO sessions VALUES (?, ?)").run(cookie, `user-${index}`);
  });
  const statements = {
    begin: prepare("BEGIN IMMEDIATE"),
    commit: prepare("COMMIT"),
    addToken: prepare("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"),
    addCode: prepare("INSERT INTO codes VALUES (?, ?, ?, ?, ?, 0)"),
    useCode: prepare("UPDATE codes SET used = 1 WHERE code = ? AND used = 0"),
    rotate: prepare("UPDATE tokens SET ended = 1 WHERE refresh = ? AND ended = 0"),
    revoke: prepare("UPDATE tokens SET ended = 1 WHERE access = ?"),
    findToken: prepare("SELECT client_id, expires_at, scope FROM tokens WHERE access = ? AND ended = 0"),
    findUser: prepare(
      "SELECT users.id FROM tokens JOIN users ON users.id = user_id WHERE access = ? AND ended = 0",
    ),
    findSession: prepare("SELECT user_id FROM sessions JOIN users ON users.id = user_id WHERE cookie = ?"),
    findCode: prepare("SELECT user_id, nonce FROM codes WHERE code = ? AND used = 0"),
    findRefresh: prepare("SELECT user_id, nonce FROM tokens WHERE refresh = ? AND ended = 0"),
  };
  const log = openSync(`${path}-wal`, "r+");
  const { commit, inFlight } = sharedCommits(
    () => statements.begin.run(),
    () => statements.commit.run(),
    () => promisify(fdatasync)(log),
  );
  return {
    commit,
    addToken: ({ id, access, refresh, client_id, user_id, nonce, expires_at, scope }) =>
      void statements.addToken.run(id, access, refresh, client_id, user_id, nonce, expires_at, scope),
    addCode: ({ id, code, user_id, nonce, expires_at }) =>
      void statements.addCode.run(id, code, user_id, nonce, expires_at),
    useCode: (code) => statements.useCode.run(code).changes === 1,
    rotate: (refresh) => statements.rotate.run(refresh).changes === 1,
    revoke: (access) => void statements.revoke.run(access),
    findToken: (access) => statements.findToken.get(access) as ReturnType<FloorStore["findToken"]>,
    findUser: (access) => statements.findUser.get(access) as ReturnType<FloorStore["findUser"]>,
    findSession: (cookie) => statements.findSession.get(cookie) as ReturnType<FloorStore["findSession"]>,
    findCode: (code) => statements.findCode.get(code) as Granted | undefined,
    findRefresh: (refresh) => statements.findRefresh.get(refresh) as Granted | undefined,
    async close() {
      await inFlight();
      closeSync(log);
      database.close();
    },
  };
}

/** Combines all work that arrives during a flush into one commit with one flush. */
function sharedCommits(begin: () => void, end: () => void, flush: () => Promise<void>) {
  let waiting: { readonly work: () => void; readonly done: () => void }[] = [];
  let flushing: Promise<void> | undefined;

  function kick(): void {
    if (flushing !== undefined || waiting.length === 0) return;
    flushing = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      const batch = waiting;
      waiting = [];
      begin();
      for (const { work } of batch) work();
      end();
      await flush();
      flushing = undefined;
      for (const { done } of batch) done();
      kick();
    });
  }

  return {
    commit: <T>(work: () => T) =>
      new Promise<T>((resolve) => {
        let value: T;
        waiting.push({
          work: () => {
            value = work();
          },
          done: () => resolve(value),
        });
        kick();
      }),
    inFlight: async () => flushing,
  };
}
