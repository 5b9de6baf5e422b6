/** A walk through the ways to sign in, with three providers and a virtual authenticator. */
import type { Page } from "playwright-core";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { smtpServer } from "../support/smtp.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/until.ts";
import { virtualAuthenticator } from "../support/virtual_authenticator.ts";
import type { See } from "./screens_tour.ts";

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

/** A server with three providers that nobody visits, and everything on that people may do for themselves. */
export async function securityServer(): Promise<SecurityServer> {
  const smtp = await smtpServer();
  const served = await servedProcess({
    manifest: { users: [ada], providers },
    environment: {
      POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      POSTERN_MAIL_FROM: "id@mail.example",
      POSTERN_EXTRA_SIGN_IN: "passkey,totp",
      POSTERN_SIGN_UP: "open",
      POSTERN_SELF_SERVICE: "email,export,deletion",
    },
  });
  return { ...served, mailed: () => smtp.received.map(({ raw }) => raw).join("\n") };
}

async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  const pressed = page.locator("main").getByRole(role, { name, exact: true }).first();
  await Promise.all([page.waitForNavigation(), pressed.click()]);
}

/** Sign-in, enrolment of an app and a passkey, recovery codes, the security page and the second factor. */
export async function tourOfSecurity(page: Page, { url, mailed }: SecurityServer, see: See): Promise<void> {
  await virtualAuthenticator(page);
  const signIn = async () => {
    await page.goto(`${url}/login?redirect=%2Faccount%2Fsecurity`);
    await page.locator("#email").fill(ada.email);
    await page.locator("#password").fill(ada.password);
    await press(page, "Sign in");
  };
  await page.goto(`${url}/login?redirect=%2Faccount%2Fsecurity`);
  await see("sign_in_providers");
  await page.goto(`${url}/register`);
  await see("register");
  await signIn();
  await see("security_none");

  await press(page, "Add an authenticator app");
  await see("app_mailbox");
  const codeIn = () => /\b\d{4} \d{4}\b/.exec(mailed())?.[0];
  await until(() => codeIn() !== undefined, "the code has come");
  await page.locator("#code").fill(codeIn() ?? "");
  await press(page, "Continue");
  await see("app_new");
  const secret = (await page.locator(".secret code").innerText()).replaceAll(" ", "");
  await page.locator("#name").fill("My telephone with a rather long name that somebody chose");
  await page.locator("#code").fill(totpCode(secret, new Date()));
  await press(page, "Add");
  await see("recovery_codes");
  await page.getByRole("checkbox").check();
  await press(page, "Finish");
  await press(page, "Add a passkey");
  await see("passkey_new");
  await page.goto(`${url}/account/security`);
  await see("security");
  await page.goto(`${url}/account/linked-accounts`);
  await see("linked_accounts");
  await page.goto(`${url}/account/deletion`);
  await see("account_deletion");
  await page.context().clearCookies();
  await signIn();
  await see("second_factor");
  await press(page, "Use a recovery code", "link");
  await see("second_factor_code");
}
