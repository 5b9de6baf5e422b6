import { html } from "../../html.ts";
import type { ConsentWords } from "../en/consent.ts";

export const consentWords: ConsentWords = {
  title: (client) => `Autoriser ${client} ?`,
  heading: (client) => html`Autoriser ${client} à utiliser votre compte ?`,
  unverified:
    "Cette application s’exécute sur votre propre appareil : son identité ne peut pas être vérifiée. N’autorisez l’accès que si vous venez de la lancer vous-même.",
  able: "L’application pourra",
  allowedBefore: "Déjà autorisé",
  ownWords: "Décrit par l’application",
  undescribed: "Défini par le service auquel cela appartient",
  as: "Connecté en tant que",
  registeredBy: "Enregistrée par",
  beforeNow: "Dernière utilisation",
  neverUsed: "Jamais avec ce compte",
  goesTo: "Vous serez ensuite redirigé vers",
  deny: "Refuser",
  allow: "Autoriser",
};
