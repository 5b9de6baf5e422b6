import type { ProviderFindingMessage } from "../../errors/provider_findings.ts";
import { filled } from "./filled.ts";
import type { ProviderFindingSentences } from "./sentences.ts";

export interface FoundAtProvider {
  readonly found: ProviderFindingMessage;
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
}

/** What was found at a provider, with what was expected and what came, as one line. */
export function providerFindingText(
  { found: { code, params }, expected, received }: FoundAtProvider,
  { providerFindings: say }: { readonly providerFindings: ProviderFindingSentences },
): string {
  return [
    filled(say.sentences[code], params),
    ...(expected ? [say.expected(expected)] : []),
    ...(received ? [say.received(received)] : []),
  ].join("; ");
}
