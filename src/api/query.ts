import type { FastifyRequest } from "fastify";
import { detail } from "../errors/details.ts";
import { fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { queryOf } from "../http/target.ts";

/** The parameters of the query by name. Throws 400 `invalid_filter` naming those that are repeated. */
export function filtersOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const { pairs } = queryOf(request);
  const seen = new Set<string>();
  const repeated = new Set(pairs.map(([name]) => name).filter((name) => seen.has(name) || !seen.add(name)));
  if (repeated.size > 0) {
    const errors = [...repeated].map((name) => fieldError(`/${name}`, "repeated"));
    throw new Problem("invalid_filter", detail("parameter_repeated"), errors);
  }
  return Object.fromEntries(pairs);
}
