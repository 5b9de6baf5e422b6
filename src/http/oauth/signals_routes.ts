/** The transmitter of shared signals (SSF 1.0, sections 7 and 8; RFC 8936). */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { offersFeature } from "../../oauth/core/rules_for.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { readMembers } from "../../oauth/registration/read_registration.ts";
import { mostTokens, type PollAnswer, poll } from "../../oauth/signals/poll.ts";
import { type Receiver, requireReceiver } from "../../oauth/signals/receiver.ts";
import {
  changeStream,
  changeSubject,
  configurationOf,
  createStream,
  readStatus,
  removeStream,
  setStatus,
  statusOf,
  streamOf,
  verifyStream,
} from "../../oauth/signals/streams.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import type { signalScopes } from "../../records/names/names.ts";
import { deliveryUrns } from "../../records/names/signals.ts";
import { jsonRepresentation, sendConditionally } from "../conditional.ts";
import type { ShellContext } from "../context.ts";
import { bodyLimit, mediaTypeOf, type RawBody } from "../form.ts";
import { getAndHead } from "../get_and_head.ts";
import { headerText } from "../request_origin.ts";
import { cacheFor } from "../security_headers.ts";
import { queryOf, targetOf } from "../target.ts";
import { waitingPlaces } from "../waiting_places.ts";

/** Milliseconds that a poll waits for an event (`longestWait`), and between two look-ups (`lookInterval`). */
const longestWait = 20_000;
const lookInterval = 500;

type Members = Readonly<Record<string, unknown>>;

export function signalsRoutes(app: FastifyInstance, { server }: ShellContext): void {
  if (!offersFeature(server, "ssf")) return;
  const { issuer } = server;
  const metadata = jsonRepresentation({
    spec_version: "1_0",
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    delivery_methods_supported: Object.values(deliveryUrns),
    configuration_endpoint: `${issuer}/ssf/streams`,
    status_endpoint: `${issuer}/ssf/status`,
    add_subject_endpoint: `${issuer}/ssf/subjects:add`,
    remove_subject_endpoint: `${issuer}/ssf/subjects:remove`,
    verification_endpoint: `${issuer}/ssf/verify`,
    authorization_schemes: [{ spec_urn: "urn:ietf:rfc:6749" }],
    default_subjects: "ALL",
  });
  const config = { errorFormat: "json" } as const;
  getAndHead(app, "/.well-known/ssf-configuration", { config: { ...config, kept: true } }, (request, reply) =>
    sendConditionally(request, cacheFor(reply, 300), metadata),
  );

  type Answer = (
    receiver: OAuthApp,
    members: Members,
    reply: FastifyReply,
    again: Receiver["again"],
  ) => Promise<unknown>;
  const known =
    (needs: keyof typeof signalScopes, answer: Answer) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { authorization } = request.headers;
      const { path } = targetOf(request);
      const dpop = headerText(request, "dpop");
      const { app: receiver, again } = await requireReceiver(
        { method: request.method, path, authorization, dpop },
        needs,
        server,
      );
      const answered = await answer(receiver, membersOf(request), reply, again);
      reply.header("cache-control", "no-store");
      return answered === undefined ? reply.send() : reply.send(answered);
    };
  const options: RouteShorthandOptions = { config };
  const shown = (stream: Parameters<typeof configurationOf>[0], receiver: OAuthApp) =>
    configurationOf(stream, receiver, server);

  const streams = "/ssf/streams";
  app.get(
    streams,
    options,
    known("read", async (receiver, { stream_id }) => {
      if (stream_id !== undefined) return shown(await streamOf(receiver, stream_id, server), receiver);
      const own = await server.store.find("signal_streams", { app_id: receiver.id });
      return own === undefined ? [] : [shown(own, receiver)];
    }),
  );
  app.post(
    streams,
    options,
    known("manage", async (receiver, members, reply) => {
      const stream = await createStream(receiver, members, server);
      reply.code(201);
      return shown(stream, receiver);
    }),
  );
  for (const method of ["patch", "put"] as const)
    app[method](
      streams,
      options,
      known("manage", async (receiver, members) =>
        shown(await changeStream(receiver, members, { replaces: method === "put" }, server), receiver),
      ),
    );
  app.delete(
    streams,
    options,
    known("manage", async (receiver, { stream_id }, reply) => {
      await removeStream(await streamOf(receiver, stream_id, server), server);
      reply.code(204);
    }),
  );
  app.get(
    "/ssf/status",
    options,
    known("read", async (receiver, { stream_id }) => statusOf(await streamOf(receiver, stream_id, server))),
  );
  app.post(
    "/ssf/status",
    options,
    known("manage", async (receiver, members) => {
      const stream = await streamOf(receiver, members.stream_id, server);
      return statusOf(await setStatus(stream, readStatus(members), server));
    }),
  );
  app.post(
    "/ssf/verify",
    options,
    known("manage", async (receiver, { stream_id, state }, reply) => {
      await verifyStream(await streamOf(receiver, stream_id, server), state, server);
      reply.code(204);
    }),
  );
  for (const [act, status] of [
    ["add", 200],
    ["remove", 204],
  ] as const)
    app.post(
      `/ssf/subjects::${act}`,
      options,
      known("manage", async (receiver, members, reply) => {
        const stream = await streamOf(receiver, members.stream_id, server);
        await changeSubject(stream, receiver, members, act, server);
        reply.code(status);
      }),
    );

  const takePlace = waitingPlaces();
  app.post("/ssf/poll/:id", options, async (request, reply) => {
    const { id } = request.params as { readonly id: string };
    return known("manage", async (receiver, members, _reply, again) => {
      const stream = await streamOf(receiver, id, server);
      const { most, received, waits } = pollOf(members);
      let answer: PollAnswer = await poll(stream, { most, received }, receiver, server);
      const leave = waits ? takePlace(receiver.id) : undefined;
      if (leave === undefined) return answer;
      const until = performance.now() + longestWait;
      try {
        while (Object.keys(answer.sets).length === 0 && performance.now() < until && !reply.raw.destroyed) {
          await pause(lookInterval, undefined, { ref: false });
          // While the poll waited, the credential may have expired, or the app or the stream may have been
          // deleted.
          const current = await again();
          const held = await streamOf(current, id, server);
          if (held.status === "disabled") return { sets: {}, moreAvailable: false };
          answer = await poll(held, { most, received: [] }, current, server);
        }
      } finally {
        leave();
      }
      return answer;
    })(request, reply);
  });
}

function membersOf(request: FastifyRequest): Members {
  if (request.method === "GET" || request.method === "DELETE") {
    const stream_id = queryOf(request).get("stream_id");
    return stream_id === undefined ? {} : { stream_id };
  }
  const received = mediaTypeOf(request);
  const { bytes } = (request.body ?? { bytes: new Uint8Array() }) as RawBody;
  if (received?.toLowerCase() !== "application/json")
    throw refuse("body_not_form", { received, expected: "application/json" });
  if (bytes === undefined) throw refuse("body_too_large", { most: bodyLimit });
  return readMembers(bytes);
}

/** Reads the fields of a poll request (RFC 8936, section 2.2). */
function pollOf({ maxEvents, returnImmediately, ack, setErrs }: Members) {
  const wrong = (member: string, why: string) => refuse("stream_member", { member, why });
  if (maxEvents !== undefined && !(Number.isSafeInteger(maxEvents) && Number(maxEvents) >= 0))
    throw wrong("maxEvents", "must be a whole number");
  if (ack !== undefined && !isStrings(ack)) throw wrong("ack", "must be a list of identifiers");
  if (setErrs !== undefined && !isObject(setErrs)) throw wrong("setErrs", "must be an object");
  const received = [...(ack ?? []), ...Object.keys(setErrs ?? {})];
  if (received.length > mostTokens)
    throw wrong("ack", `and setErrs must together contain at most ${mostTokens} identifiers`);
  if (received.some((jti) => jti.length > 64))
    throw wrong("ack", "and setErrs must not contain an identifier of more than 64 characters");
  const most = Math.min(mostTokens, Number(maxEvents ?? mostTokens));
  return { most, received, waits: returnImmediately !== true && most > 0 };
}
