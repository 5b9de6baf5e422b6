import type { NewRow } from "../../records/definition/definition.ts";
import { emailKey } from "../../records/names/email.ts";
import { openClientsLock } from "../../records/names/lock_names.ts";
import { impersonalEmail, openClientsEmail } from "../../records/names/names.ts";
import type { Rows, Transaction } from "../../storage/ports.ts";

/**
 * Returns an owner for a built-in app, or for clients that no administrator registered. The owner is inactive
 * and has an email address that cannot exist (RFC 2606). A real user as owner would see every token issued to
 * the app, and deleting that user would delete the app.
 */
export function impersonalUser(id: string, at: Date, name: string, email = impersonalEmail(id)) {
  const key = emailKey(email);
  const user: NewRow<"users"> = {
    id,
    email,
    email_key: key,
    name,
    active: false,
    created_at: at,
    updated_at: at,
  };
  return user;
}

/** Returns the id of the user who owns every client that no administrator registered. */
export async function ownerOfOpenClients(
  tx: Transaction,
  { newId }: Pick<Rows, "newId">,
  at: Date,
): Promise<string> {
  const email_key = emailKey(openClientsEmail);
  const found = await tx.find("users", { email_key });
  if (found !== undefined) return found.id;
  await tx.lock(openClientsLock());
  const made = await tx.find("users", { email_key });
  if (made !== undefined) return made.id;
  const id = newId(at);
  await tx.insert("users", impersonalUser(id, at, "Open clients", openClientsEmail));
  return id;
}
