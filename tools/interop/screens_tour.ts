/** A tour of every page of a running server, for visual review. */
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { type ServedProcess, servedProcess } from "../../test/support/process.ts";

/** Nothing listens there; the tour stops before the redirect. */
const redirect_uri = "http://127.0.0.1:9/cb";
const ada = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  password: "correct horse battery staple",
} as const;

const app = {
  owner: ada.email,
  redirect_uris: [redirect_uri],
  allowed_scopes: ["openid", "profile", "email", "offline_access", "orders:read"],
};
const globex = "019a9e1c-5f7e-7000-8000-0000000000a1";
const manifest = {
  organizations: [
    {
      id: globex,
      slug: "globex",
      name: "Globex",
      settings: { brand: { accent: "#ff8a00", name: "Globex Travel" } },
    },
  ],
  users: [ada],
  memberships: [{ user: ada.email, organization: "globex", role: "developer" }],
  apps: [
    {
      ...app,
      client_id: "orders",
      name: "Acme Orders",
      description: "Shows a customer their orders.",
      secrets: ["the secret of the orders application"],
    },
    {
      ...app,
      client_id: "travel",
      name: "Journeys",
      organization: "globex",
      secrets: ["the secret of the travel application"],
    },
    { ...app, client_id: "terminal", name: "Terminal", app_type: "native", public: true },
  ],
};

/** Starts a server with users, applications and a branded organization. */
export function tourServer(environment: Readonly<Record<string, string>> = {}): Promise<ServedProcess> {
  return servedProcess({ manifest, environment });
}

/** Called when the browser shows the page with this name. */
export type See = (name: string) => Promise<void>;

async function press(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.locator(`main ${button}`).click()]);
}

async function signIn(page: Page, password: string = ada.password, email: string = ada.email): Promise<void> {
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await press(page, "button[type=submit]");
}

function authorizeUrl({ url }: ServedProcess, client_id: string, input: Record<string, string> = {}): string {
  const parameters = {
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid profile email orders:read",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  return `${url}/oauth/authorize?${new URLSearchParams({ ...parameters, ...input })}`;
}

/** Waits for the setup link, which is printed shortly after the server listens. */
async function setupLink({ err }: ServedProcess): Promise<string> {
  for (let maxWait = 200; maxWait > 0; maxWait--) {
    const [link] = /http:\S+\/setup\?token=\S+(?=\s)/.exec(err()) ?? [];
    if (link !== undefined) return link;
    await wait(25);
  }
  throw new Error(`the first start printed no link: ${err()}`);
}

/** Setup, sign-in, consent, account choice, account, sign-out, refusals and the API reference. */
export async function tourOfServer(page: Page, served: ServedProcess, see: See): Promise<void> {
  const { url } = served;
  const link = await setupLink(served);
  await page.goto(link);
  await see("setup");
  await page.locator("#name").fill("Root");
  await page.locator("#email").fill("root@example.com");
  await page.locator("#password").fill("password");
  await press(page, "button[type=submit]");
  await see("setup_refused");
  await page.locator("#password").fill("an administrator's own words");
  await press(page, "button[type=submit]");
  await page.goto(link);
  await see("setup_done");
  await page.context().clearCookies();

  await page.goto(authorizeUrl(served, "orders"));
  await see("sign_in");
  await signIn(page, "not the password");
  await see("sign_in_failed");
  await signIn(page);
  await see("consent");
  await page.goto(authorizeUrl(served, "terminal"));
  await see("consent_unverified");
  await page.goto(authorizeUrl(served, "travel", { prompt: "select_account" }));
  await see("select_account_branded");
  await page.goto(authorizeUrl(served, "travel"));
  await see("consent_branded");
  await page.goto(authorizeUrl(served, "travel", { prompt: "login" }));
  await see("sign_in_branded");

  await tourOfAccount(page, url, see);
  await page.goto(`${url}/logout`);
  await see("logout");
  await press(page, "button[type=submit]");
  await see("signed_out");
  await page.goto(`${url}/oauth/authorize?client_id=nobody`);
  await see("refused");
  await page.goto(`${url}/nothing-here`);
  await see("not_found");
  await page.goto(`${url}/api/docs`);
  await see("api_docs");
  await tourOfInvitation(page, url, see);
}

/** An invitation by the first administrator, accepted by a new user. */
async function tourOfInvitation(page: Page, url: string, see: See): Promise<void> {
  await page.goto(`${url}/login`);
  await signIn(page, "an administrator's own words", "root@example.com");
  await page.goto(`${url}/console/organizations/${globex}/invite`);
  await see("invite");
  await page.locator("#email").fill("grace@example.com");
  await press(page, "button.primary");
  await see("invite_made");
  const link = (await page.locator(".secret code").textContent()) ?? "";
  await page.goto(link);
  await see("invitation_someone_else");
  await page.context().clearCookies();
  await page.goto(link);
  await see("invitation");
  await page.locator("#name").fill("Grace");
  await page.locator("#password").fill("her very own words");
  await press(page, "button.primary");
  await see("invitation_joined");
  await page.goto(link);
  await see("invitation_dead");
}

/** The account of a signed-in user; pages of a connected app are in `tourOfDev`. */
async function tourOfAccount(page: Page, url: string, see: See): Promise<void> {
  await page.goto(`${url}/`);
  await see("account");
  await page.goto(`${url}/account/password`);
  await see("account_password");
  await page.locator("#current_password").fill("not the password");
  await page.locator("#password").fill("a new one that is fine");
  await page.locator("#password_again").fill("a new one that is fine");
  await press(page, "button.primary");
  await see("account_password_refused");
  await page.goto(`${url}/account/sessions`);
  await see("account_sessions");
  for (const place of ["apps", "linked-accounts", "api-keys"]) {
    await page.goto(`${url}/account/${place}`);
    await see(`account_${place.replace("-", "_")}_none`);
  }
  await page.goto(`${url}/account/organizations`);
  await see("account_organizations");
  await page.locator("main a.danger").click();
  await see("account_leave");
  await page.goto(`${url}/account/api-keys/new`);
  await see("account_api_key_new");
  await page.locator("#name").fill("Nightly backup");
  await page.locator("input[type=checkbox]").first().check();
  await press(page, "button.primary");
  await see("account_api_key_made");
  await page.goto(`${url}/account/api-keys`);
  await see("account_api_keys");
}

/** The console of the demo's administrator, who has completed one code flow. */
async function tourOfConsole(page: Page, url: string, see: See): Promise<void> {
  const go = async (path: string, name: string) => {
    await page.goto(url + path);
    await see(name);
  };
  await go("/console", "dashboard");
  for (const resourceType of ["apps", "users", "tokens", "sessions", "audit-events"]) {
    await go(`/console/${resourceType}`, `console_${resourceType.replace("-", "_")}`);
  }
  await page.goto(`${url}/console/apps?q=orders`);
  await Promise.all([page.waitForNavigation(), page.getByRole("link", { name: "Acme Orders" }).click()]);
  const app = new URL(page.url()).pathname;
  await see("console_app");
  for (const part of ["edit", "delete", "use", "checks", "try"])
    await go(`${app}/${part}`, `console_app_${part}`);
  await go("/console/apps/new", "console_app_kinds");
  await go("/console/apps/new?kind=website", "console_app_new");
  await page.goto(`${url}/console/app-secrets/new?app_id=${app.split("/").at(-1)}`);
  await see("console_secret_new");
  await press(page, "button.primary");
  await see("console_secret_made");
  const wrong = new URLSearchParams({ client_id: "demo-web", redirect_uri: `${url}/dev/calback` });
  await page.goto(`${url}/oauth/authorize?${wrong}`);
  await see("refused_explained");
  await page.locator('main a[href*="/console/refusals/"]').click();
  await see("console_refusal");
  await go("/console/refusals", "console_refusals");
  await go("/console/signing-keys", "console_signing_keys");
  await go("/console/housekeeping", "console_housekeeping");
  await go("/console/search?q=demo", "console_search");
}

/**
 * Every list of the console, the first record of each, and its forms, for the administrator of
 * `tourOfDev`. The tests leave this out because of its duration.
 */
export async function tourOfRecords(page: Page, { url }: ServedProcess, see: See): Promise<void> {
  for (const [name, path] of [
    ["console_rotate", "/console/signing-keys/rotate"],
    ["console_organization", "/console/organization"],
    ["console_search_none", "/console/search?q=nothing-has-this-name"],
    ["console_apps_none", "/console/apps?q=nothing-has-this-name"],
    ["console_missing", "/console/nowhere"],
  ] as const) {
    await page.goto(url + path);
    await see(name);
  }
  const hrefs = await page
    .locator("nav.side a[href^='/console/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  for (const list of hrefs) {
    const name = `list_${list.split("/").at(-1)?.replaceAll("-", "_")}`;
    await page.goto(url + list);
    await see(name);
    const [first] = await page
      .locator("main table tbody a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    for (const step of ["new", "invite"]) {
      if ((await page.locator(`main .page-head a[href$='/${step}']`).count()) === 0) continue;
      await page.goto(`${url}${list}/${step}`);
      await see(`${name}_${step}`);
    }
    if (first === undefined || !first.startsWith(`${list}/`)) continue;
    await page.goto(url + first);
    await see(`${name}_one`);
    for (const step of ["edit", "delete", "revoke"]) {
      await page.goto(url + first);
      if ((await page.locator(`main a[href='${first}/${step}']`).count()) === 0) continue;
      await page.goto(`${url}${first}/${step}`);
      await see(`${name}_${step}`);
    }
  }
}

/** The page of `postern dev` before and after a code flow, and a password reset with its email. */
export async function tourOfDev(page: Page, { url }: ServedProcess, see: See): Promise<void> {
  await page.goto(`${url}/dev`);
  await see("dev");
  const [email = "", password = ""] = await page
    .locator(".dev-side .card")
    .first()
    .locator("code")
    .allInnerTexts();
  await press(page, ".actions form:nth-of-type(1) button");
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await press(page, "button[type=submit]");
  await press(page, "button[value=allow]");
  await press(page, ".actions form:nth-of-type(1) button");
  await see("dev_walked");
  await tourOfConsole(page, url, see);
  await page.goto(`${url}/account/apps`);
  await see("account_apps");
  await page.locator("main a.danger").click();
  await see("account_withdraw");

  await page.goto(`${url}/forgot-password`);
  await see("forgot_password");
  await page.locator("#email").fill(email);
  await press(page, "button[type=submit]");
  await see("reset_asked");
  await page.goto(`${url}/dev/outbox`);
  const link = page.locator('main a[href*="/reset-password"]');
  // The email is sent after the response.
  for (let maxWait = 100; (await link.count()) === 0 && maxWait > 0; maxWait--) {
    await wait(25);
    await page.reload();
  }
  await see("outbox");
  await Promise.all([page.waitForNavigation(), link.click()]);
  await see("reset_password");
}
