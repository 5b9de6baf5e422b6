import type { FastifyInstance } from "fastify";

export interface Route {
  readonly method: string;
  /** With its parameters, such as `/account/sessions/:id/end`. */
  readonly path: string;
}

/** Returns every route of an application from the tree that its router prints. */
export function routesOf(app: FastifyInstance): Route[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const drawn = /^([ │]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
      if (drawn === null) return [];
      const [, indent = "", part = "", methods = ""] = drawn;
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      const path = above.join("");
      return methods
        .split(", ")
        .filter((method) => method !== "")
        .map((method) => ({ method, path }));
    });
}
