import type { FastifyRequest } from "fastify";

/** The value of a header; more than one, with commas between them (RFC 9110 5.3). */
export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
