/**
 * Fills a database of Postern, given by its settings, with users. A separate process:
 * PosternFillUsersInput on standard input.
 */
import { text } from "node:stream/consumers";
import { type Config, readConfig } from "../../../src/config.ts";
import type { User } from "../../../src/records/definition/definition.ts";
import { emailKey } from "../../../src/records/names/email.ts";
import { openEnvironment } from "../../../src/server/environment.ts";
import { rowWriter, writingWords } from "./row_writer.ts";

export interface PosternFillUsersInput {
  readonly users: number;
}

const rowsAtOnce = 10_000;
/** The users were created at regular intervals in the preceding year. */
const span_ms = 365 * 86_400_000;
/** The share of inactive users, as one in this number. */
const inactiveOneIn = 10;

const givenNames =
  "Ada Barbara Clara Dorothea Emmy Frances Grace Hedwig Irene Jean Katherine Lise Mary Nettie Olga Rosalind";
const familyNames =
  "Adeyemi Bertrand Castillo Dubois Eriksen Farouk Gallagher Hopkins Ivanova Jansen Kowalski Lindqvist Moreau Nakamura Okafor Petrov";

async function fillUsers({ users }: PosternFillUsersInput, config: Config): Promise<void> {
  const started = Date.now();
  const environment = await openEnvironment(config, { now: () => new Date(started) });
  const { store } = environment;
  const writeUsers = rowWriter(store, "users");
  const [input, family] = [givenNames.split(" "), familyNames.split(" ")];

  function user(index: number): User {
    const created_at = new Date(started - span_ms + Math.floor((index * span_ms) / users));
    const name = `${input[index % input.length]} ${family[Math.floor(index / input.length) % family.length]}`;
    const email = `${name.toLowerCase().replace(" ", ".")}.${index}@example.com`;
    return {
      id: store.newId(created_at),
      email,
      name,
      avatar_url: null,
      password_hash: null,
      is_platform_admin: false,
      active: index % inactiveOneIn !== inactiveOneIn - 1,
      last_login_at: null,
      created_at,
      updated_at: created_at,
      email_key: emailKey(email),
      tokens_not_before: null,
      ended_grants: null,
      reset_links_not_before: null,
      email_verified_at: null,
      webauthn_handle: null,
      device_notices: true,
      email_locked_until: null,
      deletion_at: null,
      factors_reset_at: null,
      language: null,
      attributes: null,
      username_key: null,
    };
  }

  try {
    await writingWords(store, "users", async () => {
      for (let first = 0; first < users; first += rowsAtOnce) {
        const count = Math.min(rowsAtOnce, users - first);
        await writeUsers(Array.from({ length: count }, (_, offset) => user(first + offset)));
      }
    });
  } finally {
    await environment.close();
  }
}

await fillUsers(JSON.parse(await text(process.stdin)) as PosternFillUsersInput, readConfig(process.env));
