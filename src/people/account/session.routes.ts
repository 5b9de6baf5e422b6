import type { FastifyInstance } from "fastify";
import { notFound } from "../../admin/access/errors.ts";
import { revokeRecord } from "../../admin/manage/manage.ts";
import { sessions } from "../../admin/resources/apps.ts";
import { endSessionsOf } from "../../admin/resources/sign_out.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { deviceOf } from "../core/notices/device.view.ts";
import { chooseDeviceNotices, mayDecline } from "../core/notices/device_notices.ts";
import { accountPages, backTo, ownRecord } from "../core/pages/account_person.http.ts";
import { toSignedOut } from "../core/pages/to_signed_out.http.ts";
import { forgetDevices, rememberedDevices } from "../core/remembered_devices.ts";
import { activeSessions } from "../core/sessions.ts";
import { appsOfSession } from "./apps_of_session.ts";
import { namedMethods } from "./named_methods.ts";
import { sessionsPage } from "./sessions.page.ts";

const path = "/account/sessions";
const pageLength = 25;

export function sessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  const { identity } = context;

  pages.get(path, async ({ signedIn, page, csrf_token, params, done }, _, reply) => {
    const { user, session: here } = signedIn;
    const cursor = params.get("before");
    const before = isUuid(cursor) ? cursor.toLowerCase() : undefined;
    const { sessions: found, next } = await activeSessions(user, { limit: pageLength, before }, identity);
    const apps = await Promise.all(found.map((session) => appsOfSession(session, identity)));
    const methods = await Promise.all(found.map((session) => namedMethods(session, identity)));
    const devices = await rememberedDevices(user, identity);
    const answer = sessionsPage({
      ...page,
      sessions: found.map((session, index) => ({
        id: session.id,
        device: deviceOf(session.user_agent),
        address: session.client_ip,
        methods: methods[index] ?? [],
        apps: apps[index] ?? [],
        begun_at: session.authenticated_at,
        seen_at: session.last_seen_at,
        here: session.id === here.id,
      })),
      devices: devices.map(({ id, user_agent, client_ip, last_used_at, created_at, expires_at }) => ({
        id,
        device: deviceOf(user_agent),
        address: client_ip,
        seen_at: last_used_at ?? created_at,
        expires_at,
      })),
      notices: mayDecline(user) ? (user.device_notices ? "on" : "off") : "always",
      has_mail: context.mail !== undefined,
      csrf_token,
      has_others: next !== undefined || found.some(({ id }) => id !== here.id),
      first_href: before && path,
      next_href: next && `${path}?before=${next}`,
      done,
    });
    return sendPage(reply, answer);
  });

  pages.post(`${path}/devices/:id/forget`, async ({ signedIn, id }, request, reply) => {
    const one = { id: id.toLowerCase(), origin: originOf(request) };
    if (!isUuid(id) || (await forgetDevices(signedIn.user, one, identity)) === 0) {
      throw notFound("devices", id);
    }
    return backTo(reply, path, "device_forgotten");
  });

  pages.post(`${path}/devices/forget-all`, async ({ signedIn }, request, reply) => {
    await forgetDevices(signedIn.user, { origin: originOf(request) }, identity);
    return backTo(reply, path, "devices_forgotten");
  });

  pages.post(
    `${path}/notices`,
    async ({ signedIn, params }, _, reply) => {
      await chooseDeviceNotices(signedIn.user, params.get("notices") === "on", identity);
      return backTo(reply, path, "device_notices_saved");
    },
    { return_to: path, sudo: true },
  );

  pages.post(`${path}/:id/end`, async (person, _, reply) => {
    const { id } = await ownRecord(person, sessions);
    await revokeRecord(person.admin, sessions, id);
    if (id !== person.signedIn.session.id) return backTo(reply, path, "session_ended");
    return toSignedOut(reply, context);
  });

  pages.post(`${path}/end-others`, async ({ admin, signedIn }, _, reply) => {
    await endSessionsOf(admin, signedIn.user.id, signedIn.session.id);
    return backTo(reply, path, "sessions_ended");
  });

  pages.post(`${path}/end-all`, async ({ admin, signedIn }, _, reply) => {
    await endSessionsOf(admin, signedIn.user.id);
    return toSignedOut(reply, context);
  });
}
