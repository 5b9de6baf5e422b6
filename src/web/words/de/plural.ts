import { pluralsOf } from "../plural.ts";

const categories = ["one", "other"] as const;

export const plural = pluralsOf("de", categories);
