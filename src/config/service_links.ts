/** Variables that orchestrators set for every reachable service. */
import { isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

const address = /^(?:tcp|udp|sctp):\/\/[^/?#]+:\d{1,5}$/;
const port = /^\d{1,5}$/;

const forms: readonly (readonly [name: RegExp, holds: (value: string) => boolean])[] = [
  [/_SERVICE_HOST$/, (value) => isIP(value) !== 0],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, (value) => port.test(value)],
  [/_PORT$/, (value) => address.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)$/, (value) => address.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, (value) => /^(?:tcp|udp|sctp)$/.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_(?:PORT|PORT_START|PORT_END)$/, (value) => port.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) !== 0],
];

/**
 * Returns the environment without the service links that Kubernetes and Docker set for a service named
 * `postern` or `postern-…`. `POSTERN_PORT=3000` remains, because its value does not have the format of a
 * service link.
 */
export function withoutServiceLinks(env: Environment): Environment {
  const isLink = (name: string, value: string) =>
    name.startsWith("POSTERN_") && forms.some(([form, holds]) => form.test(name) && holds(value));
  // For a linked container, Docker sets `…_NAME` to a path such as `/web/postern`, and copies the container's
  // variables as `…_ENV_…`.
  const ofDocker = (name: string) => {
    const [, alias] = /^(POSTERN(?:_[A-Z0-9_]+?)?)_(?:NAME$|ENV_)/.exec(name) ?? [];
    return (
      alias !== undefined && env[`${alias}_NAME`]?.startsWith("/") && address.test(env[`${alias}_PORT`] ?? "")
    );
  };
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value === undefined || !(isLink(name, value) || ofDocker(name)),
    ),
  );
}
