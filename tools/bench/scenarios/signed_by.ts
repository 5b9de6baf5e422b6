import type { Algorithm } from "../algorithms.ts";
import type { Scenario } from "../scenario.ts";

/** Returns the same scenario with access tokens and id_tokens of another algorithm. */
export function signedBy(algorithm: Algorithm, { id, name, bound, remark, prepare }: Scenario): Scenario {
  return {
    id: `${id}-${algorithm.toLowerCase()}`,
    name: `${name}, ${algorithm}`,
    ...(bound && { bound: { ...bound, limit: algorithm } }),
    ...(remark !== undefined && { remark }),
    prepare: async (subject) => {
      const server = subject.server.signingBy?.(algorithm);
      return server && prepare({ ...subject, server });
    },
  };
}
