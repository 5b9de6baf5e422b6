/** A tour of the sign-in methods, with three providers and a virtual authenticator. */
import type { Page } from "playwright-core";
import type { See } from "../../tools/interop/screens_tour.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { smtpServer } from "../support/smtp.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/until.ts";
import { virtualAuthenticator } from "../support/virtual_authenticator.ts";

const ada = { email: "ada@example.com", name: "Ada Lovelace", password: "correct horse battery staple" };
const issuer = "https://login.example";
const providers = [
  { slug: "google", preset: "google", client_id: "orders", client_secret: "a secret of the tour" },
  { slug: "github", preset: "github", client_id: "orders", client_secret: "a secret of the tour" },
  {
    slug: "staff",
    label: "Acme International Holdings staff directory",
    preset: "oidc",
    issuer,
    client_id: "orders",
    client_secret: "a secret of the tour",
  },
];

interface SecurityServer extends ServedProcess {
  readonly mailed: () => string;
}

/** No program listens at this address, because the tour stops before it. */
const redirect_uri = "http://127.0.0.1:9/cb";
const app = {
  client_id: "orders",
  name: "Acme Orders",
  owner: ada.email,
  redirect_uris: [redirect_uri],
  allowed_scopes: ["openid"],
  secrets: ["the secret of the orders application"],
};

/** Starts a server with every self-service feature, and with three providers that the tour does not open. */
export async function securityServer(): Promise<SecurityServer> {
  const smtp = await smtpServer();
  const served = await servedProcess({
    manifest: { users: [ada], apps: [app], providers },
    environment: {
      POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      POSTERN_MAIL_FROM: "id@mail.example",
      POSTERN_EXTRA_SIGN_IN: "passkey,totp",
      POSTERN_SIGN_UP: "open",
      POSTERN_SELF_SERVICE: "email,export,deletion",
    },
  });
  const stop: ServedProcess["stop"] = async (signal) => {
    const finished = await served.stop(signal);
    await smtp.close();
    return finished;
  };
  return { ...served, stop, mailed: () => smtp.received.map(({ raw }) => raw).join("\n") };
}

async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  const pressed = page.locator("main").getByRole(role, { name, exact: true }).first();
  await Promise.all([page.waitForNavigation(), pressed.click()]);
}

/** Returns the newest code that was mailed, once `count` codes have been mailed. */
async function mailedCode({ mailed }: SecurityServer, count: number): Promise<string> {
  const codes = () => [...mailed().matchAll(/(?<![\d-])\d{4} \d{4}(?![\d-])/g)].map(([code]) => code);
  await until(() => new Set(codes()).size >= count, "the code has come");
  return codes().at(-1) ?? "";
}

/** Sign-in, enrolment of an app and a passkey, recovery codes, the security page and the second factor. */
export async function tourOfSecurity(page: Page, served: SecurityServer, see: See): Promise<void> {
  const { url } = served;
  await virtualAuthenticator(page);
  const signIn = async () => {
    await page.context().clearCookies({ name: /session/ });
    await page.goto(`${url}/login?redirect=%2Faccount%2Fsecurity`);
    await page.locator("#email").fill(ada.email);
    await page.locator("#password").fill(ada.password);
    await press(page, "Sign in");
  };
  await page.goto(`${url}/login?redirect=%2Faccount%2Fsecurity`);
  await see("sign_in_providers");
  await tourOfRegistration(page, served, see);
  await signIn();
  await see("security_none");
  await page.goto(againUrl(url));
  await see("sign_in_again");

  await page.goto(`${url}/account/security`);
  await press(page, "Add an authenticator app");
  await see("app_mailbox");
  await page.locator("#code").fill(await mailedCode(served, 2));
  await press(page, "Continue");
  await see("app_new");
  const secret = (await page.locator(".secret code").innerText()).replaceAll(" ", "");
  const code = (steps: number) => totpCode(secret, new Date(Date.now() + steps * 30_000));
  await page.locator("#name").fill("My telephone with a rather long name that somebody chose");
  await page.locator("#code").fill(code(0));
  await press(page, "Add");
  await see("recovery_codes");
  await page.getByRole("checkbox").check();
  await press(page, "Finish");
  await press(page, "Let this browser add passkeys");
  await see("security");
  await press(page, "Add a passkey");
  await see("passkey_new");
  for (const [path, name] of [
    ["sessions", "account_devices"],
    ["linked-accounts", "linked_accounts"],
    ["data", "account_data"],
    ["email", "account_email"],
    ["deletion", "account_deletion"],
  ] as const) {
    await page.goto(`${url}/account/${path}`);
    await see(name);
  }

  await signIn();
  await see("second_factor");
  await press(page, "Use a recovery code", "link");
  await see("second_factor_code");
  await press(page, "Use an authenticator app", "link");
  // Without its script the page waits for the user to continue.
  await page.route("**/assets/passkeys.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
  await page.locator("#code").fill(code(1));
  await press(page, "Continue");
  await see("passkey_upgrade");
  await page.unroute("**/assets/passkeys.js");
  await tourOfRecovery(page, served, { signIn, see });
}

const againUrl = (url: string) =>
  `${url}/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: app.client_id,
    redirect_uri,
    scope: "openid",
    state: "s",
    prompt: "login",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })}`;

/** Registers a new user, up to the choice of a name and a password. */
async function tourOfRegistration(page: Page, served: SecurityServer, see: See): Promise<void> {
  await page.goto(`${served.url}/register`);
  await see("register");
  await page.locator("#email").fill("grace.brewster.murray.hopper@research.example.com");
  await press(page, "Send the link");
  await see("register_asked");
  await page.locator("#code").fill(await mailedCode(served, 1));
  await press(page, "Continue");
  await see("register_finish");
}

/** Recovers a user who lost every second factor, up to the wait before new ones can be added. */
async function tourOfRecovery(
  page: Page,
  served: SecurityServer,
  { signIn, see }: { signIn: () => Promise<void>; see: See },
): Promise<void> {
  await signIn();
  await press(page, "I lost all my second factors", "link");
  await see("recovery");
  await press(page, "Email me a code");
  await see("recovery_asked");
  await page.locator("#code").fill(await mailedCode(served, 3));
  await press(page, "Start the wait");
  await see("recovery_waiting");
  await press(page, "Back", "link");
  await see("second_factor_waiting");
}
