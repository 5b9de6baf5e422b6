import { apiDocsPage } from "../../src/web/api_docs_page.ts";
import { consentPage } from "../../src/web/consent_page.ts";
import { devPage } from "../../src/web/dev_page.ts";
import { errorPage } from "../../src/web/error_page.ts";
import { homePage } from "../../src/web/home_page.ts";
import { html } from "../../src/web/html.ts";
import { layout } from "../../src/web/layout.ts";
import { loginPage } from "../../src/web/login_page.ts";
import { logoutPage } from "../../src/web/logout_page.ts";
import { selectAccountPage } from "../../src/web/select_account_page.ts";
import { setupPage } from "../../src/web/setup_page.ts";
import { signedOutPage } from "../../src/web/signed_out_page.ts";

/**
 * Every page in every form it takes, with `text` wherever words of others go and `address` wherever a link or a picture
 * of others does.
 */
export function everyPage(text: string, address: string): Record<string, string> {
  const user = { name: text, email: text };
  const client = {
    name: text,
    logo_url: address,
    description: text,
    owner_name: text,
    first_time: true,
    unverified: true,
  };
  const fields = { state: text, client_id: text };
  const exchange = {
    title: text,
    explanation: text,
    request: {
      method: text,
      url: text,
      headers: { [text]: text, location: `https://a.example/?${text}` },
      body: text,
    },
    response: { status: 302, headers: { [text]: text }, body: text },
    decoded: text,
  };
  const pages = {
    layout: layout({ title: text, body: html`<h1>${text}</h1>`, brand: { name: text, logo_url: address } }),
    login: loginPage({ redirect: text, csrf_token: text }),
    loginFailed: loginPage({
      redirect: text,
      csrf_token: text,
      email: text,
      message: text,
      client_name: text,
      retry_after: 30,
    }),
    selectAccount: selectAccountPage({ user, csrf_token: text, request: text }),
    selectAccountByLink: selectAccountPage({ user, csrf_token: text, request: text, continue_href: address }),
    consent: consentPage({
      client,
      user,
      scopes: [
        { name: text, description: text, already_granted: true },
        { name: text, already_granted: false },
      ],
      redirect_to: text,
      csrf_token: text,
      request: text,
      switch_account_href: address,
    }),
    error: errorPage({ title: text, message: text, error: text, hint: text, request_id: text }),
    home: homePage({
      user: { ...user, is_platform_admin: true, last_login_at: new Date(0) },
      csrf_token: text,
      server_name: text,
      apps: [{ name: text, since: new Date(0) }],
    }),
    logout: logoutPage({ csrf_token: text, client_name: text, fields, action: "/oauth/logout" }),
    signedOut: signedOutPage({ return_href: address, client_name: text }),
    setup: setupPage({
      token: text,
      csrf_token: text,
      email: text,
      name: text,
      errors: [
        { field: "password", message: text },
        { field: "token", message: text },
      ],
    }),
    setupDone: setupPage({ token: text, csrf_token: text, errors: [], done: true }),
    dev: devPage({
      steps: [exchange],
      clients: [{ client_id: text, name: text, kind: text }],
      users: [{ email: text, password: text }],
      actions: [
        { label: text, href: address },
        { label: text, post: { action: address, fields } },
      ],
    }),
    apiDocs: apiDocsPage({
      title: text,
      description: text,
      base_url: text,
      document_href: "/api/openapi.json",
      credentials: [{ name: text, description: text }],
      groups: [
        {
          id: "users",
          name: text,
          description: text,
          members: [{ name: text, type: text, description: text, required: true }],
          operations: ["GET", "DELETE"].map((method) => ({
            id: `operation-${method}`,
            method,
            path: text,
            summary: text,
            description: text,
            parameters: [{ name: text, where: text, type: text, description: text }],
            body: { types: [text], members: [], example: text },
            answers: [{ status: "200", description: text }],
            example: text,
          })),
        },
      ],
      problems: [{ code: "stale", status: 412, title: text, meaning: text }],
    }),
    devAtFirst: devPage({ steps: [], clients: [], users: [], actions: [] }),
  };
  return Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, String(page)]));
}
