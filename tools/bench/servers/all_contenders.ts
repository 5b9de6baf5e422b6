import type { Contender } from "../contender.ts";
import { floor } from "./floor.ts";
import { frameworkConstant } from "./framework_constant.ts";
import { oidcProvider } from "./oidc_provider.ts";
import { postern, posternOfFew } from "./postern.ts";

/** The contenders of `--quick` are first. */
export async function allContenders(): Promise<Contender[]> {
  const model = await postern("sqlite", 1);
  return [
    model,
    await oidcProvider("memory"),
    floor(),
    await postern("postgres", 1),
    await oidcProvider("postgres"),
    await postern("sqlite", 2),
    await postern("postgres", 2),
    await posternOfFew("sqlite"),
    await posternOfFew("postgres"),
    await frameworkConstant(model),
  ];
}

/** Number of contenders that `--quick` selects. */
export const quickContenders = 3;
