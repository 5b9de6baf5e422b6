import type { FastifyServerOptions } from "fastify";

/**
 * The option of Fastify by which it loads neither its validator nor its serializer: 150 modules, some 5 MB of
 * memory. Fields are validated by their definition in `records/`, and answers are JSON or pages already.
 *
 * @throws where a route has a schema after all
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
  throw new Error("routes have no schema: records/ says what is valid");
}
