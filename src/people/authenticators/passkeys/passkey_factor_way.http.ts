import { originOf } from "../../../http/request_origin.ts";
import type { FactorWay } from "../factors/factor_way.http.ts";
import { passkeyFactor } from "./passkey_factor.view.ts";
import { postCounterNotice } from "./passkey_notices.http.ts";
import { askForFactor } from "./passkey_questions.ts";
import { passkeySite } from "./passkey_site.ts";
import { provePasskey } from "./prove_passkey.ts";

const name = "passkey";

/** A passkey or security key, after the first factor. */
export const passkeyWay: FactorWay = {
  kind: "passkey",
  async part({ user, locale, csrf_token: holder, fault }, { server, identity }) {
    const site = passkeySite(server.issuer);
    const options = site && (await askForFactor("second_factor", user, { holder, site }, identity));
    const failure = fault === "wrong" ? "refused" : fault === "expired" ? "expired" : undefined;
    return options && passkeyFactor({ options, name, failure }, locale);
  },
  async prove({ user, params, request }, context) {
    const site = passkeySite(context.server.issuer);
    if (site === undefined) return { type: "wrong" };
    const proof = await provePasskey(
      {
        purpose: "second_factor",
        holder: params.get("csrf_token") ?? "",
        answer: params.get(name) ?? "",
        user,
        origin: originOf(request),
      },
      site,
      context.identity,
    );
    if (proof.type === "proved") return { type: "proved", method: proof.method };
    if (proof.type === "expired") return proof;
    postCounterNotice(proof, request, context);
    return { type: "wrong" };
  },
};
