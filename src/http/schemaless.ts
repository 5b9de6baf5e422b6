import type { FastifyServerOptions } from "fastify";

/**
 * The Fastify option that avoids loading Fastify's validator and serializer: 150 modules and about 5 MB of
 * memory. @throws if a route has a schema after all
 */
export const schemaless: Pick<FastifyServerOptions, "schemaController"> = {
  schemaController: {
    compilersFactory: {
      buildValidator: () => refuseSchema,
      buildSerializer: () => refuseSchema,
    },
  },
};

function refuseSchema(): never {
  throw new Error("routes have no schema: records/ defines what is valid");
}
