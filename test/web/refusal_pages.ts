import { refusalPage, unknownRefusalPage } from "../../src/console/refusal.page.ts";
import type { Refusal } from "../../src/records/definition/definition.ts";
import { type EvidenceKind, evidenceFacts, evidenceKinds } from "../../src/records/names/evidence.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { ManagementLocale } from "../../src/web/words/page_locale.ts";
import { aViewer } from "./reader.ts";

type Evidence = Refusal["evidence"][number];

/** Returns evidence of this kind, with `text` wherever a client's text appears. */
function evidenceOf(kind: EvidenceKind, text: string): Evidence {
  return { kind, name: text, received: [text, "nul"], expected: [`${text}x`, text] };
}

/** Returns the pages of a refusal in all of their variants. */
export function refusalPages(text: string, locale: ManagementLocale): Record<string, Html> {
  const viewer = aViewer(text, ["refusals"]);
  const page = { ...locale, viewer };
  const refusal: Refusal = {
    id: text,
    short_id: text,
    endpoint: text,
    error: text,
    description: text,
    app_id: text,
    user_id: text,
    evidence: evidenceKinds.map((kind) => evidenceOf(kind, text)),
    request_id: text,
    client_ip: text,
    user_agent: text,
    created_at: new Date(0),
    expires_at: new Date(0),
  };
  const measured: Evidence[] = [
    { kind: "expired", name: "code", received: "75", expected: "60" },
    { kind: "length", name: "code_verifier", received: "1", expected: ["43", "128"] },
    { kind: "too_large", name: "body", received: null, expected: "65536" },
    { kind: "already_used", name: "code", received: new Date(0).toISOString(), expected: null },
    { kind: "redirect_uri", name: "redirect_uri", received: "https://a.example/cb", expected: [] },
    { kind: "redirect_uri", name: "redirect_uri", received: text, expected: [text] },
    { kind: "missing", name: "code", received: null, expected: null },
    { kind: "client_id", name: "client_id", received: null, expected: null },
    { kind: text, name: text, received: text, expected: text },
    ...evidenceFacts.map((fact) => ({ kind: "ended", name: text, received: fact, expected: null })),
  ];
  const bare = {
    ...refusal,
    short_id: "ABCDE01234",
    request_id: null,
    client_ip: null,
    user_agent: null,
  };
  return {
    refusal: refusalPage({
      ...page,
      refusal,
      app: { id: text, name: text },
      user: { id: text, name: text },
      audited: true,
    }),
    refusalMeasured: refusalPage({
      ...page,
      refusal: { ...bare, evidence: measured },
      app: { id: text },
      user: { id: text },
      audited: false,
    }),
    refusalBare: refusalPage({ ...page, refusal: { ...bare, evidence: [] }, audited: false }),
    refusalUnknown: unknownRefusalPage(page),
  };
}
