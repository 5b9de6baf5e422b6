import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `Autoriser ${client} ?`,
  heading: (client) => html`Autoriser ${client} à utiliser votre compte ?`,
  unverified:
    "Cette application s’exécute sur votre propre appareil : son identité ne peut pas être vérifiée. N’autorisez l’accès que si vous venez de la lancer vous-même.",
  able: "L’application pourra",
  allowedBefore: "Déjà autorisé",
  ownWords: "Décrit par l’application",
  undescribed: "Aucune description fournie",
  organization: "Organisation",
  details: "Informations vous concernant",
  as: "Connecté en tant que",
  registeredBy: "Enregistrée par",
  beforeNow: "Dernière utilisation",
  neverUsed: "Jamais avec ce compte",
  goesTo: "Vous serez ensuite redirigé vers",
  moreScopes: plural({ one: (figure) => `${figure} de plus`, other: (figure) => `${figure} de plus` }),
  website: "Site web",
  policy: "Politique de confidentialité",
  terms: "Conditions d’utilisation",
  deny: "Refuser",
  allow: "Autoriser",
};
