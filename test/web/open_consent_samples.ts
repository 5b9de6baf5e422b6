import { type OpenConsentPage, openConsentPage } from "../../src/web/pages/open_consent_page.ts";
import type { Language } from "../../src/web/words/language.ts";
import { aReader } from "./reader.ts";

/** Returns the text of a page with this form and without other requests. */
export function anOpenConsent(
  language: Language,
  {
    client,
    ...input
  }: Partial<Omit<OpenConsentPage, "client">> & { client?: Partial<OpenConsentPage["client"]> } = {},
): string {
  return String(
    openConsentPage({
      ...aReader(language),
      client: {
        verified_host: "claude.ai",
        client_id: "https://claude.ai/oauth/claude-code-client-metadata",
        claimed_name: "Claude Code",
        ...client,
      },
      user: { name: "Ada Lovelace", email: "ada@example.com" },
      scopes: [
        { name: "openid", description: "Confirm your identity", already_granted: true },
        { name: "notes:read", description: "Read your notes", already_granted: false },
        { name: "notes:write", already_granted: false },
      ],
      resources: [{ name: "Notes", identifier: "https://notes.example/mcp" }],
      redirect_to: "http://localhost:3118",
      answers: "loopback",
      csrf_token: "token",
      request: "request",
      switch_account_href: "/login",
      ...input,
    }),
  );
}

const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const longHost = `${Array.from({ length: 4 }, () => "a".repeat(60)).join(".")}.example`;

/** The claims of hostile clients, by the attack. */
export const hostileConsents: Readonly<Record<string, Parameters<typeof anOpenConsent>[1]>> = {
  plain: {},
  "a name of 500 letters": { client: { claimed_name: long("Postern", 500) } },
  "a name of 500 wide letters": { client: { claimed_name: long("漢字", 500) } },
  "a name of 500 capitals": { client: { claimed_name: long("W", 500) } },
  "a name from right to left": { client: { claimed_name: long("שלום עולם ", 80) } },
  "a name in Arabic": { client: { claimed_name: "تطبيق الملاحظات" } },
  "a homograph in the host": {
    client: { verified_host: "xn--clude-4ve.ai", client_id: "https://xn--clude-4ve.ai/client.json" },
    redirect_to: "https://xn--clude-4ve.ai",
    answers: "site",
  },
  "a host of 253 letters": {
    client: { verified_host: longHost, client_id: `https://${longHost}/${"b".repeat(1700)}` },
    redirect_to: `https://${longHost}`,
    answers: "site",
  },
  "a private scheme": {
    client: {
      verified_host: undefined,
      client_id: "0195f3c8-9d40-7e0c",
      claimed_name: undefined,
      hidden_name: "deceptive",
    },
    redirect_to: "cursor:",
    answers: "private_scheme",
  },
  "scopes and resources without end": {
    scopes: Array.from({ length: 30 }, (_, index) => ({
      name: `${"s".repeat(200)}${index}`,
      description: long("Read", 200),
      already_granted: index % 2 === 0,
    })),
    resources: [{ name: long("Notes", 200), identifier: `https://notes.example/${"m".repeat(1000)}` }],
  },
};
