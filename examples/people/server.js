import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

const {
  OAUTH_ISSUER,
  OAUTH_CLIENT_ID,
  OAUTH_CLIENT_SECRET,
  DATABASE = ":memory:",
  PORT = "8080",
} = process.env;

const table = new DatabaseSync(DATABASE);
table.exec(`CREATE TABLE IF NOT EXISTS people (id TEXT PRIMARY KEY, name TEXT, email TEXT);
  CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 1), cursor TEXT)`);
const write = table.prepare("INSERT OR REPLACE INTO people (id, name, email) VALUES (?, ?, ?)");
const remove = table.prepare("DELETE FROM people WHERE id = ?");
const place = table.prepare("INSERT OR REPLACE INTO place (only, cursor) VALUES (1, ?)");

/** Users and cursor are written together, so after a crash an event may be repeated, but none is lost. */
function inTransaction(work) {
  table.exec("BEGIN");
  try {
    work();
    table.exec("COMMIT");
  } catch (error) {
    table.exec("ROLLBACK");
    throw error;
  }
}

let token;
async function newToken() {
  const answer = await fetch(`${OAUTH_ISSUER}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${OAUTH_CLIENT_ID}:${OAUTH_CLIENT_SECRET}`)}` },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: "postern:events:read postern:users:read",
    }),
  });
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).access_token;
}

async function ask(path, isAgain = false) {
  token ??= await newToken();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${OAUTH_ISSUER}/api/v1/${path}`, { headers });
  if (answer.status !== 401 || isAgain) return answer;
  token = undefined;
  return ask(path, true);
}

async function read(path) {
  const answer = await ask(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Reads all users. The cursor is read first, so that changes during the reading are read again. */
async function readAll() {
  const { cursor: latest } = await read("events?after=latest");
  const users = [];
  for (let cursor; cursor !== null; ) {
    const page = await read(`users?limit=200${cursor === undefined ? "" : `&cursor=${cursor}`}`);
    users.push(...page.data);
    cursor = page.next_cursor;
  }
  inTransaction(() => {
    table.exec("DELETE FROM people");
    for (const { id, name, email } of users) write.run(id, name, email);
    place.run(latest);
  });
}

/** Events contain only the user's ID, so the user's current state is read. */
async function userOf({ subject_id }) {
  const answer = await ask(`users/${subject_id}`);
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`users/${subject_id}: ${answer.status}`);
  return answer.json();
}

async function follow() {
  const after = table.prepare("SELECT cursor FROM place").get()?.cursor;
  if (after === undefined) return readAll();
  const answer = await ask(`events?after=${after}&wait=20`);
  // The events after this cursor were deleted, or the server was restored from a backup, so everything is
  // read again.
  if (answer.status === 410) return readAll();
  if (!answer.ok) throw new Error(`events: ${answer.status} ${await answer.text()}`);
  const { data, cursor } = await answer.json();
  const changed = new Set(
    data.filter(({ subject_kind }) => subject_kind === "user").map((each) => each.subject_id),
  );
  const users = await Promise.all([...changed].map(async (id) => [id, await userOf({ subject_id: id })]));
  inTransaction(() => {
    for (const [id, user] of users) {
      if (user === undefined) remove.run(id);
      else write.run(id, user.name, user.email);
    }
    place.run(cursor);
  });
}

createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(table.prepare("SELECT * FROM people ORDER BY email").all()));
}).listen(Number(PORT), "localhost");

for (;;) {
  try {
    await follow();
  } catch (error) {
    // Postern is restarting or unreachable: try again.
    console.error(error.message);
    await pause(500);
  }
}
