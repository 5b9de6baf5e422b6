/**
 * After the server disabled a webhook endpoint, emails the owners and administrators of its organization, or
 * the platform administrators (EV-6).
 */
import { OverloadedError } from "../../../errors.ts";
import { storedLanguage } from "../../../http/language.ts";
import type { Row, User } from "../../../records/definition/definition.ts";
import { wordsOf } from "../../../web/words/words.ts";
import type { HttpContext } from "../http_context.http.ts";
import { enqueueMail } from "../outbox.ts";
import { endpointMail } from "./endpoint.mail.ts";

const mostTold = 10;
const worthSending = 3 * 24 * 60;

type Transaction = Parameters<typeof enqueueMail>[0];
interface Disabled {
  readonly endpoint: Row<"webhook_endpoints">;
  readonly position: number;
}
type Context = Pick<HttpContext, "server" | "identity" | "languages">;

/** Returns the hook that stores the emails in the transaction that disables an endpoint. */
export function endpointNotices({ server, identity, languages }: Context) {
  return async (tx: Transaction, { endpoint, position }: Disabled): Promise<void> => {
    const { id, organization_id, disabled_reason } = endpoint;
    const organization =
      organization_id === null ? undefined : await tx.find("organizations", { id: organization_id });
    for (const owner of await ownersOf(tx, organization_id)) {
      const language = storedLanguage(owner, { languages });
      const text = endpointMail({
        ...{ language, words: wordsOf(language), server_name: new URL(server.issuer).host },
        ...{ at: server.now(), reason: disabled_reason ?? "failing", position },
        organization_name: organization?.name,
        page_url: `${server.issuer}/console/webhook-endpoints/${id}`,
      });
      await enqueueMail(tx, owner, { to: owner.email, ...text }, worthSending, identity).catch((error) => {
        // Too many queued emails for one user must not prevent disabling the endpoint.
        if (!(error instanceof OverloadedError)) throw error;
      });
    }
  };
}

async function ownersOf(tx: Transaction, organization_id: string | null): Promise<readonly User[]> {
  const limit = { limit: mostTold };
  if (organization_id === null) return tx.list("users", { is_platform_admin: true, active: true }, limit);
  const roles = ["owner", "admin"] as const;
  const memberships = await Promise.all(
    roles.map((role) => tx.list("memberships", { organization_id, role }, limit)),
  );
  const users = await Promise.all(
    memberships
      .flat()
      .slice(0, mostTold)
      .map(({ user_id }) => tx.find("users", { id: user_id })),
  );
  return users.filter((user) => user?.active === true) as User[];
}
