import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "Se connecter",
  lead: "avec votre adresse e-mail et votre mot de passe",
  leadTo: (client) => html`pour accéder à ${client}`,
  email: "Adresse e-mail",
  password: "Mot de passe",
  submit: "Se connecter",
  keepSignedIn: {
    label: plural({
      one: (figure) => `Rester connecté pendant ${figure} jour`,
      other: (figure) => `Rester connecté pendant ${figure} jours`,
    }),
    help: "Uniquement sur un appareil personnel. La déconnexion y met fin.",
  },
  failures: {
    refused: "L’adresse e-mail ou le mot de passe est incorrect.",
    throttled: "Il y a eu trop de tentatives.",
    out_of_date: "Ce formulaire n’était plus à jour. Veuillez réessayer.",
  },
  again: {
    title: "Confirmez votre identité",
    asked: (client) => html`Connectez-vous de nouveau pour accéder à ${client}.`,
    tooOld: (client) =>
      html`Votre connexion date d’un certain temps. Connectez-vous de nouveau pour accéder à ${client}.`,
    application: "l’application",
    signedInAs: (name) => html`Vous êtes connecté en tant que ${name}.`,
  },
  why: "Cela empêche d’autres personnes de deviner des mots de passe. Tout le reste fonctionne comme avant.",
  againInSeconds: plural({
    one: (figure) => `Vous pourrez réessayer dans ${figure} seconde.`,
    other: (figure) => `Vous pourrez réessayer dans ${figure} secondes.`,
  }),
  againInMinutes: plural({
    one: (figure) => `Vous pourrez réessayer dans ${figure} minute.`,
    other: (figure) => `Vous pourrez réessayer dans ${figure} minutes.`,
  }),
};
