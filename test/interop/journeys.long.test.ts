/** User journeys in a browser, from the first page to the result: with JavaScript, and once without. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as oauth from "oauth4webapi";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { runPostern, type ServedProcess, servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";
import { application } from "./application.ts";

const { redirect_uri, arrivals, close } = await application();
after(close);
const smtp = await smtpServer();

const root = { name: "Root", email: "root@example.com", password: "an administrator's own words" };
const ada = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse battery staple" };
const bert = { name: "Bert", email: "bert@example.com", password: "an entirely new password" };

const manifest = {
  users: [ada],
  organizations: [{ slug: "acme", name: "Acme" }],
  memberships: [{ user: ada.email, organization: "acme", role: "owner" }],
  apps: [
    {
      client_id: "orders",
      name: "Acme Orders",
      owner: ada.email,
      organization: "acme",
      redirect_uris: [redirect_uri],
      allowed_scopes: ["openid", "profile", "orders:read"],
      secrets: ["the first secret of the orders app"],
    },
  ],
};

/** Returns the newest link with this path in an email that arrives after the given number of emails. */
async function mailedLink(path: string, before: number): Promise<string> {
  await smtp.arrived(before + 1);
  const { text } = readMail(smtp.received.at(-1)?.raw ?? "");
  return text.split(/\s/).find((word) => word.includes(`${path}?token=`)) ?? "";
}

for (const javaScriptEnabled of [true, false]) {
  describe(`complete journeys in a browser ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    let served: ServedProcess;
    const open: BrowserContext[] = [];

    before(async () => {
      served = await servedProcess({
        manifest,
        environment: {
          POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
          POSTERN_MAIL_FROM: "id@mail.example",
        },
      });
    });
    after(async () => {
      await Promise.all(open.map((context) => context.close()));
      await served.stop();
    });

    /** Opens a browser with a separate profile. */
    async function visitor(): Promise<Page> {
      const context = await (await browser()).newContext({ javaScriptEnabled });
      open.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      return page;
    }

    const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
    const follow = (page: Page, name: string | RegExp) =>
      page.getByRole("main").getByRole("link", { name }).first().click();
    const heading = (page: Page, name: string | RegExp) =>
      page.getByRole("heading", { name, level: 1 }).waitFor();

    async function signIn(page: Page, { email, password }: { email: string; password: string }) {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await press(page, "Sign in");
    }

    async function signedIn(person: { email: string; password: string }, path = "/account"): Promise<Page> {
      const page = await visitor();
      await page.goto(`${served.url}/login?redirect=${encodeURIComponent(path)}`);
      await signIn(page, person);
      await page.waitForURL(`${served.url}${path}`);
      return page;
    }

    /** Runs the client's half of the code flow with a third-party library. */
    async function client(client_id: string, secret: string) {
      const issuer = new URL(served.url);
      const insecure = { [oauth.allowInsecureRequests]: true };
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, insecure),
      );
      const verifier = oauth.generateRandomCodeVerifier();
      const who: oauth.Client = { client_id };
      const authentication = oauth.ClientSecretBasic(secret);
      const request = new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: "code",
        scope: "openid",
        state: "s",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return {
        authorize: `${served.url}/oauth/authorize?${request}`,
        async exchange(arrived: URL) {
          const parameters = oauth.validateAuthResponse(server, who, arrived, "s");
          const response = await oauth.authorizationCodeGrantRequest(
            server,
            who,
            authentication,
            parameters,
            redirect_uri,
            verifier,
            insecure,
          );
          return oauth.processAuthorizationCodeResponse(server, who, response);
        },
        async isActive(token: string): Promise<boolean> {
          const response = await oauth.introspectionRequest(server, who, authentication, token, insecure);
          return (await oauth.processIntrospectionResponse(server, who, response)).active;
        },
      };
    }

    /** Returns the address at the application to which the browser is redirected. */
    async function sentTo(page: Page, act: () => Promise<unknown>): Promise<URL> {
      await act();
      await page.waitForURL(`${redirect_uri}?*`);
      return arrivals.at(-1) ?? assert.fail("the application was not called");
    }

    test("from the set-up link an administrator creates an app and its secret, and the app gets its first token", async () => {
      const page = await visitor();
      await page.goto(/http:\S+\/setup\?token=\S+/.exec(served.err())?.[0] ?? "");
      await page.getByLabel("Name").fill(root.name);
      await page.getByLabel("Email").fill(root.email);
      await page.getByLabel("Password", { exact: true }).fill(root.password);
      await press(page, "Create administrator");
      await heading(page, "Dashboard");
      await page.goto(`${served.url}/console/apps`);
      await follow(page, "New app");
      await follow(page, /Website with a server/);
      await page.getByLabel("Name").first().fill("The First App");
      await page.getByLabel(/^Redirect URIs/).fill(redirect_uri);
      await press(page, "Create");
      const secret = await page.locator(".secret code").first().innerText();
      assert.ok(secret.length > 20, secret);
      await page.goto(`${served.url}/console/apps?q=First`);
      await follow(page, "The First App");
      assert.ok(!(await page.content()).includes(secret), "a secret is shown once");
      const client_id = await page
        .locator(".copied-value code", { hasText: /^app_|^[0-9a-z-]{10,}$/ })
        .first()
        .innerText();
      const first = await client(client_id.trim(), secret);
      await page.goto(first.authorize);
      const tokens = await first.exchange(await sentTo(page, () => press(page, "Allow")));
      assert.ok(await first.isActive(tokens.access_token));
    });

    test("a user allows an app, denies it, and withdraws consent on the account page, which ends its token", async () => {
      const page = await visitor();
      const orders = await client("orders", "the first secret of the orders app");
      await page.goto(orders.authorize);
      await signIn(page, ada);
      await heading(page, /Allow Acme Orders/);
      const denied = await sentTo(page, () => press(page, "Deny"));
      assert.equal(denied.searchParams.get("error"), "access_denied");
      await page.goto(orders.authorize);
      const tokens = await orders.exchange(await sentTo(page, () => press(page, "Allow")));
      assert.ok(await orders.isActive(tokens.access_token));
      await page.goto(`${served.url}/account/apps`);
      await page
        .getByRole("link", { name: /Withdraw/ })
        .first()
        .click();
      await page.getByText(/token is revoked immediately/).waitFor();
      await press(page, /Withdraw/);
      await page.locator(".notice-success").waitFor();
      assert.equal(await orders.isActive(tokens.access_token), false);
    });

    test("after a rotation the new client secret works at once, and the old one for another day", async () => {
      const page = await signedIn(ada, "/console/apps");
      await follow(page, "Acme Orders");
      await follow(page, "Rotate the secret");
      await press(page, "Create");
      const secret = await page.locator(".secret code").first().innerText();
      for (const each of [secret, "the first secret of the orders app"]) {
        const app = await client("orders", each);
        assert.equal(await app.isActive("nothing"), false, "the client is let in");
      }
      await assert.rejects(async () => (await client("orders", "made up")).isActive("nothing"));
    });

    test("a member is invited, creates an account from the mail, and sees the organization", async () => {
      const owner = await signedIn(ada, "/console/organizations");
      await follow(owner, "Acme");
      await follow(owner, "Invite a member");
      await owner.getByLabel("Email").fill(bert.email);
      await owner.getByLabel("Developer").check();
      const before = smtp.received.length;
      await press(owner, "Invite");
      const link = await mailedLink("/invitation", before);
      assert.equal(await owner.locator(".secret code").count(), 0, "the link goes to the mailbox alone");

      const guest = await visitor();
      await guest.goto(link);
      await guest.getByLabel("Name").fill(bert.name);
      await guest.getByLabel("Password", { exact: true }).fill(bert.password);
      await press(guest, /account and join/);
      await heading(guest, /Welcome to Acme/);
      await guest.goto(`${served.url}/account/organizations`);
      await guest.getByText("Acme").first().waitFor();
      await owner.goto(`${served.url}/console/memberships`);
      await owner.getByRole("cell", { name: "Developer" }).first().waitFor();
    });

    test("an error page leads an administrator, after signing in, to the received and expected values", async () => {
      const page = await visitor();
      const mistaken = new URLSearchParams({
        client_id: "orders",
        redirect_uri: `${redirect_uri}/`,
        scope: "openid",
      });
      await page.goto(`${served.url}/oauth/authorize?${mistaken}`);
      const short_id = (await page.getByRole("main").getByRole("link").first().innerText()).trim();
      await page.getByRole("link", { name: short_id }).click();
      await signIn(page, ada);
      await heading(page, `Refusal ${short_id}`);
      assert.deepEqual(await page.locator("mark").allInnerTexts(), ["/"]);
      await page.getByText(redirect_uri, { exact: true }).waitFor();
      const { code, out } = await runPostern(["explain", short_id], { folder: served.folder });
      assert.equal(code, 0);
      assert.ok(out.includes(redirect_uri), out);
    });

    test("a forgotten password is reset by a mailed link", async () => {
      const page = await visitor();
      await page.goto(`${served.url}/login`);
      await page.getByRole("link", { name: /Forgot/ }).click();
      await page.getByLabel("Email").fill(ada.email);
      const before = smtp.received.length;
      await page.getByRole("main").getByRole("button").last().click();
      await page.goto(await mailedLink("/reset-password", before));
      await page.getByLabel("New password", { exact: true }).fill("yet another password of ada");
      await page.getByLabel("Repeat the new password").fill("yet another password of ada");
      await press(page, "Set the password");
      await follow(page, "Sign in");
      await signIn(page, { ...ada, password: "yet another password of ada" });
      await heading(page, "Profile");
    });
  });
}
