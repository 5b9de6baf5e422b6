/** The fields of a stream that its receiver may set (SSF 1.0 8.1.1). */
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { isPlainText } from "../../records/names/plain_text.ts";
import { deliveryUrns, signalTypes, streamMethods, subjectFormats } from "../../records/names/signals.ts";
import { httpsUrl } from "../client_metadata/members.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import type { Stream } from "./signal_of.ts";

export type Members = Readonly<Record<string, unknown>>;

export const supported: readonly string[] = Object.values(signalTypes);

export const pathOfPoll = ({ id }: Pick<Stream, "id">): string => `/ssf/poll/${id}`;

type Given = Pick<
  Stream,
  | "delivery_method"
  | "endpoint_url"
  | "authorization_sealed"
  | "events_requested"
  | "description"
  | "subject_format"
>;

export const usual: Given = {
  delivery_method: "poll",
  endpoint_url: null,
  authorization_sealed: null,
  events_requested: supported,
  description: null,
  subject_format: "iss_sub",
};

export const wrong = (member: string, why: string) => refuse("stream_member", { member, why });

const mostTypes = 100;
export const longestText = 255;
const longestAuthorization = 2048;

export const isLine = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longestText && isPlainText(value, "line");

/**
 * Reads the fields of a request for a stream. Throws 400 `invalid_request`. `current` is the stream's
 * configuration; undefined for a new stream.
 */
export function readMembers(
  members: Members,
  current: Members | undefined,
  id: string,
  { sealer, issuer }: Pick<AuthorizationServer, "sealer" | "issuer">,
): Partial<Given> {
  const given: { -readonly [K in keyof Given]?: Given[K] } = {};
  for (const [name, value] of Object.entries(members)) {
    switch (name) {
      case "stream_id":
        break;
      case "delivery":
        Object.assign(given, readDelivery(value, id, { sealer, issuer }));
        break;
      case "events_requested":
        if (!isStrings(value) || value.length > mostTypes || value.some((type) => type.length > longestText))
          throw wrong(name, `must be a list of at most ${mostTypes} event types`);
        given.events_requested = [...new Set(value)];
        break;
      case "description":
        if (!isLine(value)) throw wrong(name, `must be one line of at most ${longestText} characters`);
        given.description = value;
        break;
      case "format": {
        const format = subjectFormats.find((each) => each === value);
        if (format === undefined) throw wrong(name, `must be one of ${subjectFormats.join(", ")}`);
        given.subject_format = format;
        break;
      }
      default:
        if (current === undefined ? isOfTransmitter(name) : !isSame(current[name], value))
          throw wrong(
            name,
            `is set by the transmitter; ${current === undefined ? "omit it" : "do not change it"}`,
          );
    }
  }
  return given;
}

const isOfTransmitter = (name: string): boolean =>
  [
    "iss",
    "aud",
    "events_supported",
    "events_delivered",
    "min_verification_interval",
    "inactivity_timeout",
  ].includes(name);

/** Fields that the stream does not have are ignored. */
const isSame = (ours: unknown, theirs: unknown): boolean =>
  ours === undefined || JSON.stringify(ours) === JSON.stringify(theirs);

function readDelivery(
  value: unknown,
  id: string,
  { sealer, issuer }: Pick<AuthorizationServer, "sealer" | "issuer">,
): Pick<Given, "delivery_method" | "endpoint_url" | "authorization_sealed"> {
  if (!isObject(value)) throw wrong("delivery", "must be an object");
  const { method, endpoint_url, authorization_header } = value;
  const delivery_method = streamMethods.find((name) => deliveryUrns[name] === method);
  if (delivery_method === undefined)
    throw wrong("delivery.method", `must be one of ${Object.values(deliveryUrns).join(", ")}`);
  if (delivery_method === "poll") {
    if (endpoint_url !== undefined && endpoint_url !== `${issuer}${pathOfPoll({ id })}`)
      throw wrong("delivery.endpoint_url", "is set by the transmitter; omit it");
    return { delivery_method, endpoint_url: null, authorization_sealed: null };
  }
  const url = httpsUrl(endpoint_url);
  if (url === undefined) throw wrong("delivery.endpoint_url", "must be an https URL");
  if (authorization_header === undefined)
    return { delivery_method, endpoint_url: url, authorization_sealed: null };
  if (
    typeof authorization_header !== "string" ||
    authorization_header.length > longestAuthorization ||
    !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(authorization_header)
  )
    throw wrong(
      "delivery.authorization_header",
      `must be a valid HTTP header value of at most ${longestAuthorization} characters`,
    );
  const authorization_sealed = sealer.seal("stream_authorization", authorization_header, id);
  return { delivery_method, endpoint_url: url, authorization_sealed };
}
