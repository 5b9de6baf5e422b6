/**
 * The outbox keeps emails that must not be lost, such as one with the only undo link
 * (docs/decisions/operations.md). Each email is stored in the transaction of its change, and retried.
 */
import { OverloadedError } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import type { Mail } from "../../records/names/notices.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { MailTry } from "../../storage/operation/outbox.ts";
import type { IdentityContext } from "./context/context.ts";

type Parts = Pick<IdentityContext, "store" | "sealer" | "now">;

const mostKept = 20;
/** Seconds after which a request that `enqueueMail` refused may be repeated. */
const retryAfter = 60;
const aad = "kept mail";

/**
 * Queues the email about a change, in the transaction that makes the change and holds the user's lock. Throws
 * an `OverloadedError` if too many emails are waiting for this user, so no change goes unreported.
 */
export async function enqueueMail(
  tx: Transaction,
  { id }: Pick<User, "id">,
  mail: Mail,
  minutes: number,
  { store, sealer, now }: Parts,
): Promise<void> {
  const at = now();
  const keys = Array.from({ length: mostKept }, (_, place) =>
    Buffer.from(sealer.mac("ephemera", JSON.stringify(["mail", id, place])), "base64url"),
  );
  const kept = {
    mail: sealer.seal("ephemera", JSON.stringify(mail), aad),
    expires_at: new Date(at.getTime() + minutes * 60_000),
  };
  if (await store.enqueueMail(tx, keys, kept, at)) return;
  throw new OverloadedError(retryAfter, "too many emails to this user are waiting for the mail server");
}

/** Sends the emails that are due. `send` returns whether the mail server accepted the email. */
export async function sendOutbox(context: Parts, send: (mail: Mail) => Promise<boolean>): Promise<void> {
  const { store, now } = context;
  for (let taken = true; taken; ) {
    const due = await store.claimMails(now());
    const outcomes = await Promise.all(due.map((each) => tryToSend(each, context, send)));
    taken = outcomes.includes(true);
  }
}

async function tryToSend(
  each: MailTry,
  { store, sealer, now }: Parts,
  send: (mail: Mail) => Promise<boolean>,
): Promise<boolean> {
  const mail = opened(each, sealer);
  const done = mail !== undefined && (await send(mail));
  if (done) await store.forgetMail(each);
  else await store.postponeMail(each, now());
  return done;
}

/** Undefined if this process cannot decrypt the email; another process may have the key. */
function opened({ mail }: MailTry, sealer: IdentityContext["sealer"]): Mail | undefined {
  try {
    return JSON.parse(sealer.open("ephemera", mail, aad)) as Mail;
  } catch (error) {
    if (error instanceof Error && error.name === "SealError") return undefined;
    throw error;
  }
}
