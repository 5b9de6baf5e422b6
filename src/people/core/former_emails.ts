/** The email addresses that a user had in the last seven days and may restore (SS-7). */
import type { User } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { openProof } from "./proofs/proofs.ts";
import { type ProofData, purposes } from "./proofs/purposes.ts";

/** Returns the user's former email addresses that can still be restored, each once. */
export async function formerEmails(
  { id }: Pick<User, "id">,
  context: Parameters<typeof openProof>[3],
  reads: Pick<Verbs, "find"> = context.store,
): Promise<readonly string[]> {
  return [...new Set((await formersOf(id, context, reads)).map(({ email }) => email))];
}

/** Returns the former email addresses that can still be restored. */
export async function formersOf(
  user_id: string,
  context: Parameters<typeof openProof>[3],
  reads: Pick<Verbs, "find">,
): Promise<ProofData["former_emails"]["addresses"]> {
  const kept = (await openProof("former_emails", user_id, {}, context, reads))?.data.addresses ?? [];
  const oldest = context.now().getTime() - purposes.email_undo.minutes * 60_000;
  return kept.filter(({ changed_at }) => changed_at > oldest);
}
