import type { FastifyInstance } from "fastify";
import { requireWritable } from "../../admin/manage/manage.ts";
import { providers } from "../../admin/resources/providers.ts";
import { providerFinding } from "../../errors/provider_findings.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { lookAtProvider } from "../../people/providers/look_at_provider.ts";
import type { ProviderFinding } from "../../providers/check_provider.ts";
import { leakyBuckets } from "../../records/names/leaky_buckets.ts";
import { noAllowedAddress, reachOf } from "../../records/rules/outbound_reach.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { providerCheckPage } from "./provider_check.page.ts";

/**
 * Checks are limited for each provider and in total, because a check sends requests to a host that a user
 * chose.
 */
const rates = { one: { size: 5, every: 12_000 }, all: { size: 30, every: 2000 } } as const;

/** The sentence is the same whether or not the host has an address (FO-4). */
function withRemedy(finding: ProviderFinding): ProviderFinding {
  const suffix = `: ${noAllowedAddress}`;
  if (finding.received?.endsWith(suffix) !== true) return finding;
  const host = finding.received.slice(0, -suffix.length);
  return { ...finding, found: providerFinding("private_address", { host }), received: undefined };
}

export function providerCheckRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, upstream, mail } = context;
  if (upstream === undefined) return;
  const pages = consolePages(app, context);
  const gate = leakyBuckets();
  const path = resourceTypeHref("providers");

  pages.post(`${path}/:id/check`, async ({ admin, page, csrf_token, ...person }, _request, reply) => {
    const { id } = await requireWritable(admin, providers, person.id);
    const provider = await server.store.find("providers", { id });
    if (provider === undefined) return reply.redirect(path, 303);
    const held = gate([[`provider ${id}`, rates.one] as const, ["all", rates.all] as const], server.now());
    const { issuer, sealer } = server;
    const client = upstream(reachOf(provider));
    const parts = { issuer, sealer, client, sends_mail: mail !== undefined };
    const findings = held === undefined ? await lookAtProvider(provider, parts) : undefined;
    const shown = providerCheckPage({
      ...page,
      provider,
      findings: findings?.map(withRemedy),
      csrf_token,
    });
    return sendPage(reply, shown, { status: findings === undefined ? 429 : 200 });
  });
}
