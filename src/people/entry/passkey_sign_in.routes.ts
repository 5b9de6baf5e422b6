import type { FastifyInstance } from "fastify";
import { formOf } from "../../http/form.ts";
import { refusedSignIn } from "../../http/refused.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import type { PasskeyFailure } from "../authenticators/passkeys/passkey_form.view.ts";
import { postCounterNotice } from "../authenticators/passkeys/passkey_notices.http.ts";
import { passkeySignInPath } from "../authenticators/passkeys/passkey_sign_in.http.ts";
import { offeredPasskeySite } from "../authenticators/passkeys/passkey_site.ts";
import {
  type PasskeyProof,
  type ProofError,
  provePasskey,
} from "../authenticators/passkeys/prove_passkey.ts";
import { enter } from "../core/enter.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { answerEntered, entranceOf } from "../core/pages/answer_entered.http.ts";
import { findBrowserState, isOwnForm } from "../core/pages/browser_state.http.ts";
import { keepsSignedIn } from "../core/pages/keep_signed_in.view.ts";
import { rememberMethod } from "../core/pages/last_method.http.ts";
import { leadToUndo } from "../core/pages/lead_to_undo.http.ts";
import { isPendingDeletion } from "../core/undo_deletion.ts";
import { reportUnproved } from "../providers/report_unproved.http.ts";
import { answerOutOfDate, loginSender } from "./login_answer.http.ts";

export function passkeySignInRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity } = context;
  const site = offeredPasskeySite(server.issuer, identity);
  if (site === undefined) return;
  const sendLogin = loginSender(context);

  app.post(passkeySignInPath, { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const target = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    if (!isOwnForm(request, params, browser, context)) {
      return answerOutOfDate(request, reply, browser, target, context);
    }
    const origin = originOf(request);
    const proof = await provePasskey(
      {
        purpose: "sign_in",
        holder: params.get("csrf_token") ?? "",
        answer: params.get("answer") ?? "",
        origin,
      },
      site,
      identity,
    );
    if (proof.type === "proved") {
      rememberMethod({ kind: "passkey" }, request, reply, context);
      const { user, method } = proof;
      const keep = keepsSignedIn(params);
      const entrance = {
        ...entranceOf(browser, target, request, reply, context),
        user,
        methods: [method],
        keep,
      };
      return answerEntered(await enter(entrance, identity), { browser, target, request, reply }, context);
    }
    const owner = proof.type === "refused" && proof.error === "inactive" ? proof.by?.user : undefined;
    if (owner !== undefined && isPendingDeletion(owner, server.now())) {
      return leadToUndo(owner, { browser, reply }, context);
    }
    postCounterNotice(proof, request, context);
    if (proof.type === "refused") reportUnproved("passkey", request, context);
    const passkey = { failure: failureOf(proof), unknown: unknownOf(proof) };
    if (proof.type === "expired") return sendLogin(request, reply, browser, target, { status: 409, passkey });
    const short_id = refusedSignIn({ type: "passkey", error: proof.error }, request, context);
    return sendLogin(request, reply, browser, target, { status: 401, passkey, short_id });
  });
}

type Unproved = Exclude<PasskeyProof, { type: "proved" }>;

function failureOf(proof: Unproved): PasskeyFailure {
  if (proof.type === "expired") return "expired";
  const said = ["unknown", "second_factor_only", "counter"] as const satisfies readonly ProofError[];
  return said.find((error) => error === proof.error) ?? "refused";
}

function unknownOf(proof: Unproved): string | undefined {
  return proof.type === "refused" && proof.error === "unknown" ? proof.credential_id : undefined;
}
