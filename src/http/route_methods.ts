export const apiBase = "/api/v1";

/** The path of the single `OPTIONS` route for the whole API; a route per path would slow startup. */
export const everyApiPath = `${apiBase}/*`;

export interface RouteMethods {
  add(pattern: string, methods: readonly string[]): void;
  patterns(): Iterable<string>;
  at(path: string): readonly string[] | undefined;
}

export function routeMethods(): RouteMethods {
  const routes = new Map<string, { readonly steps: readonly string[]; readonly methods: string[] }>();
  const matching = (steps: readonly string[]) => {
    for (const route of routes.values()) {
      if (
        route.steps.length === steps.length &&
        route.steps.every((step, at) => step === steps[at] || (/^[:*]/.test(step) && steps[at] !== ""))
      )
        return route;
    }
    return undefined;
  };
  return {
    add(pattern, methods) {
      if (pattern === everyApiPath) return;
      const known = routes.get(pattern);
      if (known === undefined) routes.set(pattern, { steps: pattern.split("/"), methods: [...methods] });
      else known.methods.push(...methods);
    },
    patterns: () => routes.keys(),
    at(path) {
      const { methods } = routes.get(path) ?? matching(path.split("/")) ?? {};
      return methods !== undefined && path.startsWith(`${apiBase}/`) ? [...methods, "OPTIONS"] : methods;
    },
  };
}
