import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requirePlatform } from "../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../admin/access/actor.ts";
import { administers } from "../admin/access/administers.ts";
import { createRecord } from "../admin/manage/manage.ts";
import { emergencyLead, longestLead, publicationLead } from "../admin/records/signing_keys.ts";
import { dashboardOf, type Period, periods } from "../admin/reports/dashboard.ts";
import { healthOf } from "../admin/reports/health.ts";
import {
  countExpired,
  databaseFigures,
  keyAgeToRotate,
  signingKeysShown,
  sweptFigures,
} from "../admin/reports/housekeeping.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { sendPage } from "../http/page.ts";
import type { Params } from "../oauth/core/params.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import type { User } from "../records/definition/definition.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../records/names/names.ts";
import { durationEntry, durationSeconds } from "../web/html/duration.ts";
import { dashboardPage } from "./dashboard.page.ts";
import { allOrganizations } from "./frame/chosen_organization.http.ts";
import { ownOrganization, profileHref } from "./frame/console_frame.view.ts";
import { keptChoice, storeChoice } from "./frame/view_choices.http.ts";
import { type ConsolePerson, consolePages, sudoFor } from "./frame/viewer.http.ts";
import { housekeepingPage } from "./housekeeping.page.ts";
import { rotationPage, signingKeysPage } from "./signing_keys.page.ts";

export function dashboardRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get("/console", async ({ admin, page, params, signedIn, within }, request, reply) => {
    // Users who administer nothing and own no app have no use for the console.
    if (!administers(await permissionsOfActor(admin)) && !(await ownsApps(admin, signedIn.user)))
      return reply.redirect("/account?done=no_console", 302);
    const requested = params.get("period");
    const kept = keptChoice(request, "organization");
    const { chosen, choices: [first] = [] } = page.viewer.organizations ?? {};
    const own = ownOrganization(page.viewer, chosen ?? (kept === allOrganizations ? undefined : first));
    if (own !== undefined && requested === undefined) {
      // Stores the organization, so that the console still opens in it if the user later manages a second
      // one.
      if (kept !== own.id) storeChoice(reply, "organization", own.id, context.secure);
      return reply.redirect(profileHref(own.id), 302);
    }
    const period: Period = periods.find((each) => each === requested) ?? "day";
    const dashboard = await dashboardOf(admin, { period, within });
    const health = page.viewer.is_platform_admin ? await healthOf(admin, context.figures?.()) : undefined;
    return sendPage(reply, dashboardPage({ ...page, ...dashboard, health }));
  });
  housekeepingRoutes(app, context);
  signingKeyRoutes(app, context);
}

async function ownsApps({ store }: AdminContext, { id }: User): Promise<boolean> {
  const [first] = await store.list("oauth_apps", { owner_id: id }, { limit: 1 });
  return first !== undefined;
}

function housekeepingRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  /** Counting is slow, so concurrent requests share one count. */
  let counting: ReturnType<typeof countExpired> | undefined;

  async function count(admin: AdminContext) {
    await requirePlatform(admin);
    const retention = context.figures?.().retention ?? { audit_events: 0, addresses: 0, refusals: 0 };
    counting ??= countExpired(admin, retention).finally(() => {
      counting = undefined;
    });
    return counting;
  }

  async function sendFigures(
    { admin, page, csrf_token }: ConsolePerson,
    reply: FastifyReply,
    expired?: Awaited<ReturnType<typeof count>>,
  ): Promise<FastifyReply> {
    const [swept, database] = await Promise.all([sweptFigures(admin), databaseFigures(admin)]);
    const figures = { swept, expired, process: context.figures?.(), database };
    return sendPage(reply, housekeepingPage({ ...page, ...figures, csrf_token, now: admin.now() }));
  }

  pages.get("/console/housekeeping", (person, _request, reply) => sendFigures(person, reply));
  pages.post("/console/housekeeping", async (person, _request, reply) =>
    sendFigures(person, reply, await count(person.admin)),
  );
}

function signingKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get("/console/signing-keys", async ({ admin, page, params }, _request, reply) => {
    const { keys, rotation_due } = await signingKeysShown(admin);
    const due_after = rotation_due ? keyAgeToRotate : undefined;
    const done = (["created", "deleted"] as const).find((name) => name === params.get("done"));
    return sendPage(reply, signingKeysPage({ ...page, keys, now: admin.now(), due_after, done }));
  });

  const range = {
    usual: publicationLead,
    least: emergencyLead,
    most: longestLead,
    algorithms: signingAlgorithms,
  };

  const isWaiting = async (admin: AdminContext, algorithm: SigningAlgorithm) =>
    (await signingKeysShown(admin)).keys.some((key) => key.state === "next" && key.algorithm === algorithm);

  const algorithmOf = (params: Params): SigningAlgorithm =>
    signingAlgorithms.find((name) => name === params.get("algorithm")) ?? "RS256";

  pages.get("/console/signing-keys/rotate", async ({ admin, page, csrf_token, params }, _request, reply) => {
    const algorithm = algorithmOf(params);
    const replaces = await isWaiting(admin, algorithm);
    const form = { activates_in: durationEntry(publicationLead), algorithm, error: false };
    return sendPage(reply, rotationPage({ ...page, ...range, ...form, csrf_token, replaces }));
  });

  const rotate = async (person: ConsolePerson, _request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    const algorithm = algorithmOf(params);
    const replaces = await isWaiting(admin, algorithm);
    const unit = params.get("activates_in.unit");
    const input = [params.get("activates_in") ?? "", ...(unit === undefined ? [] : [unit])].join(" ");
    const seconds = durationSeconds(input) ?? Number.NaN;
    if (!(seconds >= range.least && seconds <= range.most)) {
      const form = { activates_in: input, algorithm, error: true, replaces };
      return sendPage(reply, rotationPage({ ...page, ...range, ...form, csrf_token }), { status: 422 });
    }
    await createRecord(admin, resourceOf("signing_keys"), { activates_in: seconds, algorithm });
    return reply.redirect("/console/signing-keys?done=created", 303);
  };
  pages.post("/console/signing-keys/rotate", rotate, sudoFor("signing_keys"));
}
