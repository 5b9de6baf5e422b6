import type { AdminContext } from "../admin/access/actor.ts";
import { applyManifest } from "../admin/manifest/apply_manifest.ts";
import { rotateKeys } from "../admin/records/signing_keys.ts";
import { cookieName } from "../app.ts";
import type { Config } from "../config.ts";
import { newSecretKey } from "../crypto/credentials.ts";
import { sha256Base64url } from "../crypto/digest.ts";
import { requestHash } from "../oauth/authorize/interaction.ts";
import { readForm } from "../oauth/core/params.ts";
import { findToken } from "../oauth/presented/active_token.ts";
import { protocol } from "../oauth/protocol.ts";
import { startSession } from "../people/core/sessions.ts";
import type { OAuthApp } from "../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../records/definition/request_origin.ts";
import type { RunningServer } from "../server/start_server.ts";
import { type failureQueue, revokeToken } from "./failures.ts";
import type { KitClock } from "./kit_clock.ts";
import { endpoints, type Fields, type KitApp, type KitCommands, type TokenOptions } from "./kit_types.ts";
import type { Recorder } from "./recorder.ts";

/** Seconds since the expiry of a token that a test requests as expired. */
const expiredFor = 60;

const origin: RequestOrigin = { client_ip: "127.0.0.1", user_agent: "test kit", request_id: "kit" };

const owner = { email: "owner@apps.example", name: "Owner" };

interface Parts {
  readonly running: Pick<RunningServer, "server" | "identity" | "store">;
  readonly config: Config;
  readonly clock: KitClock;
  readonly recorder: Recorder;
  readonly failures: ReturnType<typeof failureQueue>;
}

type RecordCommands = Pick<
  KitCommands,
  "apply" | "user" | "app" | "session" | "tokens" | "follow" | "revoke" | "rotateKeys"
>;

export function recordCommands({ running, config, clock, recorder, failures }: Parts): RecordCommands {
  const { server, identity, store } = running;
  const { issuer, now } = server;
  const context: AdminContext = {
    ...identity,
    store,
    now,
    issuer,
    actor: { kind: "system", label: "test kit" },
    switches: config,
  };
  let made = 0;
  const secrets = new Map<string, string>();

  async function apply(manifest: Fields) {
    const result = await applyManifest(manifest, context);
    for (const [client_id, secret] of Object.entries(result.secrets)) secrets.set(client_id, secret);
    return { secrets: result.secrets };
  }

  async function appCalled(client_id: string): Promise<OAuthApp> {
    const app = await store.find("oauth_apps", { client_id });
    if (app === undefined) throw new Error(`there is no app with the client_id ${client_id}`);
    return app;
  }

  async function missing(slugs: readonly string[]): Promise<{ slug: string; name: string }[]> {
    const found = await Promise.all(slugs.map((slug) => store.find("organizations", { slug })));
    return [...new Set(slugs.filter((_, index) => found[index] === undefined))].map((slug) => ({
      slug,
      name: slug,
    }));
  }

  /** If `url` is an authorization URL, the session satisfies that request, whatever sign-in it requires. */
  async function signIn(id: string, url?: string): Promise<SignedIn & { cookie: string }> {
    const user = await store.find("users", { id });
    if (user === undefined) throw new Error(`there is no user with the ID ${id}`);
    const satisfied_request = url === undefined ? undefined : requestHash(url, now());
    const at = now().getTime();
    const methods = [{ kind: "password", credential: null, at } as const];
    const begun = { user, methods, origin, satisfied_request };
    // The session starts at the server's current time, even within `runEarlier`. The cleanup of expired
    // records could delete a session with an earlier start.
    const { cookie, session } = await clock.runEarlier(0, () => startSession(begun, identity));
    return { cookie, session, user };
  }

  async function redirectOf(
    url: string,
    user_id: string,
    decision: "allow" | "deny",
    by = server,
  ): Promise<string> {
    const signedIn = await signIn(user_id, url);
    const params = readForm(url.split("?", 2)[1] ?? "");
    let outcome = await protocol.authorize({ params, url, signedIn, origin }, by);
    if (outcome.type === "consent")
      outcome = await protocol.answerConsent({ form: outcome.form, decision, signedIn, origin }, by);
    if (outcome.type !== "redirect")
      throw new Error(`the request ended at a page instead of a redirect: ${outcome.type}`);
    return outcome.location;
  }

  function ask(app: OAuthApp, parameters: URLSearchParams, by = server) {
    const secret = secrets.get(app.client_id);
    if (!app.public && secret === undefined)
      throw new Error(`the secret of ${app.client_id} is not known: create the app with app() or apply()`);
    parameters.set("client_id", app.client_id);
    if (secret !== undefined && !app.public) parameters.set("client_secret", secret);
    const params = readForm(parameters.toString());
    return protocol.token({ params, authorization: undefined, origin }, by);
  }

  async function issue(options: TokenOptions, by = server) {
    const { user, scope, resource, nonce, organization } = options;
    const { client_id } = options.app;
    const app = await appCalled(client_id);
    // For an app without an organization mode, the server would ignore `organization`.
    if (organization !== undefined && (app.organization_mode === "none" || user === undefined))
      throw new Error(
        `${client_id} has no tokens for an organization: set organization_mode, and name a user`,
      );
    const shared = new URLSearchParams();
    const scopes = scope ?? app.allowed_scopes.join(" ");
    if (scopes !== "") shared.set("scope", scopes);
    for (const each of [resource ?? []].flat()) shared.append("resource", each);
    if (user === undefined) {
      shared.set("grant_type", "client_credentials");
      return ask(app, shared, by);
    }
    const [redirect_uri = ""] = app.redirect_uris;
    const code_verifier = newSecretKey().replace(/\W/g, "-");
    for (const [name, value] of Object.entries({
      response_type: "code",
      client_id,
      redirect_uri,
      code_challenge: sha256Base64url(code_verifier),
      code_challenge_method: "S256",
      ...(nonce !== undefined && { nonce }),
      ...(organization !== undefined && { organization }),
    }))
      shared.set(name, value);
    const answer = new URL(await redirectOf(`${endpoints.authorize}?${shared}`, user.id, "allow", by));
    const code = answer.searchParams.get("code");
    if (code === null)
      throw new Error(`no code: ${answer.searchParams.get("error_description") ?? answer.href}`);
    const grant_type = "authorization_code";
    return ask(app, new URLSearchParams({ grant_type, code, redirect_uri, code_verifier }), by);
  }

  return {
    apply,
    async user({ memberships = [], ...fields } = {}) {
      made += 1;
      const person = {
        email: `person-${made}@people.example`,
        name: `Person ${made}`,
        password: `the password of person ${made}`,
        ...fields,
      };
      await apply({
        users: [person],
        organizations: await missing(memberships.map(({ organization }) => organization)),
        memberships: memberships.map((each) => ({ role: "member", ...each, user: person.email })),
      });
      const user = await store.find("users", { email: person.email.toLowerCase() });
      if (user === undefined) throw new Error(`the user ${person.email} was not created`);
      return { id: user.id, email: user.email, name: user.name, password: person.password };
    },
    async app(fields = {}): Promise<KitApp> {
      made += 1;
      const client_id = String(fields.client_id ?? `app-${made}`);
      const owned = fields.owner === undefined && { owner: owner.email };
      await apply({
        ...(owned && { users: [owner] }),
        apps: [{ client_id, name: client_id, first_party: true, ...owned, ...fields }],
      });
      const { id, redirect_uris, allowed_scopes } = await appCalled(client_id);
      return { id, client_id, client_secret: secrets.get(client_id), redirect_uris, allowed_scopes };
    },
    async session({ id }) {
      const { cookie: value } = await signIn(id);
      const name = cookieName("session", issuer.startsWith("https:"));
      return { name, value, cookie: `${name}=${value}` };
    },
    async tokens(options) {
      if (!options.expired) return issue(options);
      const { access_token_ttl } = await appCalled(options.app.client_id);
      const earlier = access_token_ttl + expiredFor;
      // The code gets a longer lifetime, because the cleanup of expired records could otherwise delete the
      // code before it is redeemed.
      const { settings } = server;
      const authorization_code_ttl = settings.authorization_code_ttl + earlier;
      const lasting = { ...server, settings: { ...settings, authorization_code_ttl } };
      return clock.runEarlier(earlier * 1000, () => issue(options, lasting));
    },
    async follow(url, { id }, { decision = "allow", organization } = {}) {
      const { pathname, search, searchParams } = new URL(url, issuer);
      if (pathname !== endpoints.authorize) throw new Error(`${pathname} is not an authorization request`);
      const failure = failures.take(pathname);
      const requested = {
        method: "GET",
        url: pathname + search,
        headers: {},
        body: Buffer.alloc(0),
        failure,
      };
      const entry = recorder.begin(requested);
      entry.status = 302;
      if (typeof failure === "object" && "error" in failure) {
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        const { error, description } = failure;
        const state = searchParams.get("state");
        const members = { error, error_description: description, state, iss: issuer };
        for (const [name, value] of Object.entries(members)) if (value) back.searchParams.set(name, value);
        entry.location = back.href;
      } else if (failure !== undefined) {
        throw new Error("follow() supports only failures with an error code: use a browser for the others");
      } else {
        // The page on which a user chooses an organization adds this parameter.
        const chosen = organization === undefined ? "" : `&${new URLSearchParams({ organization })}`;
        entry.location = await redirectOf(pathname + search + chosen, id, decision);
      }
      return entry.location;
    },
    async revoke(credential) {
      const found = await findToken(credential, server);
      if (found === undefined) throw new Error("this server did not issue this token");
      await revokeToken(found.row, server);
    },
    async rotateKeys() {
      const { kid } = await rotateKeys(context, { lead_seconds: 0 });
      return { kid };
    },
  };
}
