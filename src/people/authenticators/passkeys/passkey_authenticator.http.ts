import { readCookie } from "../../../http/cookies.ts";
import { originOf } from "../../../http/request_origin.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { Authenticator, HttpContext } from "../../core/http_context.http.ts";
import { browserMarks } from "../../core/pages/mark_browser.http.ts";
import { factorWait } from "../mail_code/mailbox_code.ts";
import { waitingFactor } from "../recovery_codes/enrol_factor.ts";
import { allPasskeysOf, handleOf, passkeysOf } from "./own_passkeys.ts";
import { passkeyCard } from "./passkey.card.ts";
import { type PasskeySignal, passkeyFactor, passkeySignal } from "./passkey_form.view.ts";
import { postCounterNotice } from "./passkey_notices.http.ts";
import { requestFactor } from "./passkey_questions.ts";
import { offeredPasskeySite, passkeySite } from "./passkey_site.ts";
import { agreedToUpgrades, mayUpgrade } from "./passkey_upgrades.ts";
import { provePasskey } from "./prove_passkey.ts";
import { storePasskey } from "./register_passkey.ts";
import { upgradeConsentPath } from "./upgrade_consent_path.http.ts";

const fields = { sign_in: "passkey", sudo: "sudo_passkey" } as const;
const purposes = { sign_in: "second_factor", sudo: "sudo" } as const;

export const passkeyAuthenticator: Authenticator = {
  kind: "passkey",
  fields,
  guessable: false,
  async part({ at, user, locale, holder, error }, { server, identity }) {
    const site = passkeySite(server.issuer);
    const options = site && (await requestFactor(purposes[at], user, { holder, site }, identity));
    const failure = error === "wrong" ? "refused" : error === "expired" ? "expired" : undefined;
    return options && { html: passkeyFactor({ options, name: fields[at], failure }, locale) };
  },
  async prove({ at, user, answer = "", holder, request }, context) {
    const site = passkeySite(context.server.issuer);
    if (site === undefined) return { type: "wrong" };
    const input = { purpose: purposes[at], holder, answer, user, origin: originOf(request) };
    const proof = await provePasskey(input, site, context.identity);
    if (proof.type === "proved") return { type: "proved", method: proof.method };
    if (proof.type === "expired") return proof;
    postCounterNotice(proof, request, context);
    return { type: "wrong" };
  },
  async store(tx, user, factor, origin, context) {
    if (factor.kind !== "passkey") throw new TypeError("not a passkey");
    const stored = await storePasskey(tx, user, factor.passkey, origin, context);
    if ("error" in stored) return stored;
    const { id, name } = stored.passkey;
    return { kind: "passkey", id, name, method: stored.method };
  },
  async card({ signedIn, page, csrf_token, request }, context) {
    const { server, identity, secure } = context;
    const { user } = signedIn;
    const passkeys = await allPasskeysOf(user, identity);
    const can_add = offeredPasskeySite(server.issuer, identity) !== undefined;
    if (passkeys.length === 0 && !can_add) return undefined;
    const { password, providers, passkeys: alone } = await identity.store.enrolledMethods(user);
    const [only] = passkeys.filter(({ id }) => alone.includes(id));
    const agreed = agreedToUpgrades(user, readCookie(request, "passkey_upgrade", secure), identity);
    const may_upgrade = can_add && (await mayUpgrade(user, identity));
    return passkeyCard({
      ...page,
      upgrades: may_upgrade ? { agreed, action: upgradeConsentPath } : undefined,
      passkeys: passkeys.map(
        ({ id, name, backed_up, signs_in, uv_initialized, created_at, last_used_at }) => ({
          id,
          name,
          synced: backed_up,
          signs_in: signs_in && uv_initialized,
          added_at: created_at,
          used_at: last_used_at,
        }),
      ),
      csrf_token,
      can_add,
      wait: can_add ? await factorWait(signedIn, browserMarks(request, context), identity) : undefined,
      is_only_method: !password && providers.length === 0 && alone.length === 1 && only?.backed_up === false,
    });
  },
  async signal(signedIn, context) {
    const signal = await passkeySignalFor(signedIn, context);
    return signal && passkeySignal(signal);
  },
};

async function passkeySignalFor(
  signedIn: SignedIn,
  { server, identity }: Pick<HttpContext, "server" | "identity">,
): Promise<PasskeySignal | undefined> {
  const { user } = signedIn;
  const site = passkeySite(server.issuer);
  if (site === undefined || user.webauthn_handle === null) return undefined;
  const stored = await passkeysOf(user, site, identity);
  const waiting = await waitingFactor(signedIn, identity);
  // A passkey may be pending until the user confirms new recovery codes. It already exists in the
  // authenticator, and must not be deleted there.
  const known = waiting?.factor.kind === "passkey" ? [...stored, waiting.factor.passkey] : stored;
  const about = { rpId: site.rp_id, userId: await handleOf(user, identity) };
  const allAcceptedCredentialIds = known.map(({ credential_id }) => credential_id);
  return {
    accepted: { ...about, allAcceptedCredentialIds },
    user: { ...about, name: user.email, displayName: user.name || user.email },
  };
}
