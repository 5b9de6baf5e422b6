import { html } from "../../html/html.ts";
import type { InvitationWords } from "../en/invitation.ts";
import { plural } from "./plural.ts";

export const invitationWords: InvitationWords = {
  roles: {
    owner: {
      name: "Propriétaire",
      help: "tous les droits d’un administrateur, nomme des propriétaires, supprime l’organisation",
    },
    admin: {
      name: "Administrateur",
      help: "gère l’organisation, ses membres, ses applications et ses clés",
    },
    developer: {
      name: "Développeur",
      help: "gère les applications, leurs secrets et les comptes de service",
    },
    member: { name: "Membre", help: "voit l’organisation, ses membres et ses applications" },
  },
  joinTitle: (organization) => `Rejoindre ${organization}`,
  joinHeading: (organization) => html`Rejoindre ${organization} ?`,
  inviter: "Invitation de",
  invited: "Invitation pour",
  joinAs: "Rôle",
  join: "Rejoindre",
  signInLead: "Un compte existe avec cette adresse. Connectez-vous avec lui pour rejoindre l’organisation.",
  signIn: "Se connecter",
  makeLead: "Il n’y a pas encore de compte avec cette adresse. Créez-le pour rejoindre l’organisation.",
  takenLead:
    "Un autre compte a une adresse qui se lit de la même façon : aucun ne peut donc être créé avec celle-ci. Demandez à la personne qui vous a invité d’inviter une autre de vos adresses.",
  email: "Adresse e-mail",
  name: "Nom",
  password: "Mot de passe",
  make: "Créer le compte et rejoindre",
  someoneElse: (user) =>
    html`Vous êtes connecté en tant que ${user}, et l’invitation est destinée à une autre adresse.`,
  another: "Utiliser un autre compte",
  signsOut: "Créer le compte vous déconnecte ici de l’autre.",
  deadTitle: "Cette invitation n’est plus valable",
  deadLead:
    "Elle a déjà été utilisée ou retirée, ou a expiré. Demandez-en une autre à la personne qui vous a invité.",
  home: "Accéder à votre compte",
  joinedTitle: "Vous avez rejoint l’organisation",
  joinedHeading: (organization) => html`Bienvenue chez ${organization}`,
  joinedLead: (roles) => html`Votre rôle : ${roles}.`,
  wasMember: "Vous étiez déjà membre, et votre rôle reste le même.",
  toConsole: "Accéder à la console",
  mailSubject: (organization) => `Invitation à rejoindre ${organization}`,
  mailInvites: (inviter, organization, server) =>
    `${inviter} vous invite à rejoindre ${organization} sur ${server}.`,
  mailRole: (role) => `Votre rôle : ${role}.`,
  mailButton: "Voir l’invitation",
  mailOnce: plural({
    one: (figure) => `Le lien fonctionne une fois, pendant ${figure} jour, et pour cette adresse uniquement.`,
    other: (figure) =>
      `Le lien fonctionne une fois, pendant ${figure} jours, et pour cette adresse uniquement.`,
  }),
  mailIgnore: "Si vous ne savez pas de quoi il s’agit, vous n’avez rien à faire.",
};
