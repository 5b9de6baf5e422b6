/**
 * What the core does with the keys of senders: ask for them once in a request, compare, and let no proof
 * count twice.
 */
import { OAuthError } from "../../errors.ts";
import type { OAuthToken } from "../../records/definition.ts";
import { offeredConstraints } from "../offered.ts";
import { refuse } from "../refusals/refuse.ts";
import type { Rules } from "../rules/rules.ts";
import type { AuthorizationServer, SenderConstraint, SenderRequest } from "../server.ts";
import type { BoundKeys, Confirmation, TokenType } from "./confirmation.ts";

/**
 * The keys that the sender of the request proves; undefined where it proves none. Throws what a constraint
 * throws: a proof that is wrong is never taken for none.
 */
export async function confirmSender(
  request: SenderRequest,
  server: AuthorizationServer,
): Promise<Confirmation | undefined> {
  let confirmation: Confirmation | undefined;
  for (const constraint of offeredConstraints(server)) {
    const proven = await constraint.confirm(request, server);
    if (proven === undefined) continue;
    const { cnf, marks, algorithms } = confirmation ?? { cnf: {}, marks: [], algorithms: [] };
    const { algorithm, mark } = proven;
    const { refusals } = constraint;
    const all: BoundKeys = { ...cnf, [constraint.member]: proven.thumbprint };
    confirmation = {
      cnf: all,
      token_type: tokenTypeOf(all, server),
      algorithms: algorithm === undefined ? algorithms : [...algorithms, { algorithm, refusals }],
      marks: mark === undefined ? marks : [...marks, { ...mark, refusals }],
    };
  }
  return confirmation;
}

/** Throws where a proof is signed by what the rules of its client do not allow. */
export function requireProofAlgorithm(
  confirmation: Confirmation | undefined,
  { client_algorithms: allowed }: Pick<Rules, "client_algorithms">,
): void {
  if (allowed === null) return;
  for (const { algorithm: received, refusals } of confirmation?.algorithms ?? []) {
    if (!allowed.includes(received)) throw refusals.algorithm({ received, allowed });
  }
}

/** The same at a protected resource, which answers 401 (RFC 9449 7.1). */
export function confirmAtResource(
  request: SenderRequest & { readonly access_token: string },
  server: AuthorizationServer,
): Promise<Confirmation | undefined> {
  return confirmSender(request, server).catch(refuseAtResource);
}

export function requireProofAlgorithmAtResource(...given: Parameters<typeof requireProofAlgorithm>): void {
  try {
    requireProofAlgorithm(...given);
  } catch (error) {
    refuseAtResource(error);
  }
}

export function useProofsAtResource(
  confirmation: Confirmation | undefined,
  server: AuthorizationServer,
): Promise<void> {
  return useProofs(confirmation, server).catch(refuseAtResource);
}

function refuseAtResource(error: unknown): never {
  throw error instanceof OAuthError ? error.atResource() : error;
}

/** What a token that is bound to these keys is called; constraints that are switched off count as well. */
export function tokenTypeOf(
  cnf: BoundKeys | null | undefined,
  { senderConstraints }: AuthorizationServer,
): TokenType {
  const binding = senderConstraints.filter(({ member }) => cnf?.[member] !== undefined);
  return binding.find(({ token_type }) => token_type !== "Bearer")?.token_type ?? "Bearer";
}

/** Whether the sender proved every one of these keys. */
export function holdsKeys(bound: BoundKeys, confirmation: Confirmation | undefined): boolean {
  return Object.entries(bound).every(([member, thumbprint]) => confirmation?.cnf[member] === thumbprint);
}

/** Whether the sender proved a key of each of these kinds. */
function provesAsMuch(bound: BoundKeys, confirmation: Confirmation | undefined): boolean {
  return Object.keys(bound).every((member) => confirmation?.cnf[member] !== undefined);
}

/**
 * A grant that is bound to keys is redeemed by their holder alone, or, where it `rebinds`, by the holder of
 * others: never without a proof. Throws what its constraint does where no key was proved, and `invalid_grant`
 * for another one.
 */
export function requireKeys(
  bound: BoundKeys | null | undefined,
  confirmation: Confirmation | undefined,
  { senderConstraints }: Pick<AuthorizationServer, "senderConstraints">,
  { rebinds = false }: { readonly rebinds?: boolean | undefined } = {},
): void {
  if (bound === undefined || bound === null || holdsKeys(bound, confirmation)) return;
  if (rebinds && provesAsMuch(bound, confirmation)) return;
  const isUnproved = ({ member }: SenderConstraint) =>
    bound[member] !== undefined && confirmation?.cnf[member] === undefined;
  const unproved = senderConstraints.find(isUnproved);
  if (unproved !== undefined) throw unproved.refusals.missing();
  throw refuse("grant_of_other_key", { received: confirmation?.cnf, expected: bound });
}

/**
 * A token is presented by the holder of its keys, under the scheme of its type. There is no way down: a bound
 * token is none of a bearer's (RFC 9449 7.2).
 */
export function requireBinding(
  { cnf }: Pick<OAuthToken, "cnf">,
  { scheme, confirmation }: { scheme: TokenType; confirmation: Confirmation | undefined },
  server: AuthorizationServer,
): void {
  if (cnf === null) {
    if (scheme !== "Bearer") throw refuse("token_unbound");
    return;
  }
  const given = { received: confirmation?.cnf, expected: cnf };
  if (scheme !== tokenTypeOf(cnf, server) || confirmation === undefined) throw refuse("token_bound", given);
  if (!holdsKeys(cnf, confirmation)) throw refuse("token_of_other_key", given);
}

/** Marks the proofs as used. Throws where one was used before, by whichever process (RFC 9449 11.1). */
export async function useProofs(
  confirmation: Confirmation | undefined,
  { store, now }: AuthorizationServer,
): Promise<void> {
  for (const { kind, key, ends_at, refusals } of confirmation?.marks ?? []) {
    if (!(await store.useOnce(kind, key, ends_at, now()))) throw refusals.used();
  }
}
