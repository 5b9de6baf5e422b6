/**
 * The request is validated again, because the app, the user or the session may have changed since the consent
 * page was shown.
 */
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { requireAdmission, requireMember } from "../organizations/context.ts";
import { refuse } from "../refusals/refuse.ts";
import { coversScopes } from "../resources/requested.ts";
import { identifyClient, readRequest } from "./authorization_request.ts";
import { type AuthorizeOutcome, consentQuestion, grantable, steppedUp } from "./authorize.ts";
import { openConsentForm } from "./consent_form.ts";
import { readInteraction, signInFor, stepUpFor } from "./interaction.ts";
import { issueCode } from "./issue_code.ts";
import { pendingRequest } from "./pending_request.ts";
import { answerWithError } from "./response_modes.ts";

export interface ConsentAnswer {
  readonly form: string;
  readonly decision: "allow" | "deny";
  readonly signedIn: SignedIn;
  readonly origin: RequestOrigin;
}

/**
 * Carries out the user's decision on the consent page: returns the response to the client, or the step that
 * is needed first (spec 4.1.4). If the form, the client or a pushed request is not valid, throws an
 * `OAuthError` that is shown to the user.
 */
export async function answerConsent(
  answer: ConsentAnswer,
  server: AuthorizationServer,
): Promise<AuthorizeOutcome> {
  const { form, decision, signedIn, origin } = answer;
  const { user, session } = signedIn;
  const requested = await openConsentForm(form, session.id, server);
  const { url, document_hash } = requested;
  const resolved = await pendingRequest(url, server);
  const identified = await identifyClient(resolved.params, { for: "pending" }, server);
  if (document_hash !== identified.client.app.document_hash) {
    throw refuse("consent_form_of_other_document").about(identified.client.app);
  }
  try {
    const read = await readRequest(identified, server, { pushed: resolved.pushed !== undefined });
    const stepped = await steppedUp(read, user, server);
    const { app } = identified.client;
    const interaction = readInteraction(identified.params, app);
    const signIn = signInFor(interaction, signedIn, { url, now: server.now(), registers: false });
    if (signIn.required === "sign_in") return { type: "login", url };
    const acr = await stepUpFor(
      { requested: interaction.requested_acr, app, methods: signIn.methods, silent: false, signedIn },
      server,
    );
    if (acr !== undefined) return { type: "step_up", url, acr };
    const { organization_id } = requested;
    const member =
      organization_id === undefined ? undefined : await requireMember(user, organization_id, server);
    await requireAdmission(user, app, server, { member, at: "authorize" });
    const request = grantable(stepped, member, server);
    const resource_ids = request.resources.map(({ id }) => id);
    const wasShown =
      coversScopes(requested.scopes, request.requested_scopes) &&
      coversScopes(requested.resource_ids, resource_ids);
    if (decision === "allow" && !wasShown) {
      // The request now includes scopes or APIs that the page did not show, for example because an
      // administrator changed the default scopes.
      const question = await consentQuestion(
        { request, member, prompt: interaction.prompt },
        signedIn,
        resolved,
        server,
      );
      if (question !== undefined) return question;
    }
    server.report({
      type: "consent",
      outcome: decision === "allow" ? "success" : "failure",
      actor: { kind: "user", id: user.id },
      target: { table: "oauth_apps", id: app.id },
      origin,
      details: { scope: request.requested_scopes.join(" ") },
    });
    if (decision === "deny") throw refuse("denied");
    await server.store.grantConsent(
      user.id,
      app.id,
      request.requested_scopes,
      server.now(),
      app.document_hash,
      organization_id === undefined ? resource_ids : [...resource_ids, organization_id],
    );
    return await issueCode({ request, member, pushed: resolved.pushed, signedIn, signIn, origin }, server);
  } catch (error) {
    return answerWithError(error, { endpoint: "/consent", identified, signedIn, origin }, server);
  }
}
