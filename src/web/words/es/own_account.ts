import { html } from "../../html/html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "Correo electrónico",
    change: "Cambiar la dirección",
    lead: "Con esta dirección inicias sesión, y a ella llegan los correos sobre tu cuenta.",
    now: "Dirección actual",
    waits: (email) => html`${email} espera tu confirmación.`,
    waitsHint:
      "Abre el enlace del mensaje que enviamos allí, en un navegador donde hayas iniciado sesión. Hasta entonces no cambia nada.",
    cancel: "Dejar la dirección como está",
    next: "Dirección nueva",
    submit: "Enviar el enlace",
    noMail: "Este servidor no envía correo, así que no puede comprobar otra dirección.",
    locked: (time) =>
      html`La dirección se recuperó desde su buzón anterior. Se podrá cambiar de nuevo a partir del ${time}.`,
    errors: {
      email: "Escribe una dirección de correo electrónico, por ejemplo nombre@example.com.",
      same: "Esa es la dirección que ya tienes.",
      throttled: "Se ha pedido muchas veces en poco tiempo. Inténtalo más tarde.",
    },
    confirmTitle: "Confirma tu dirección nueva",
    confirmLead: (email) =>
      html`A partir de entonces inicias sesión con ${email}, y allí llegan los correos sobre tu cuenta.`,
    confirm: "Usar esta dirección",
    deadTitle: "Este enlace no se puede usar",
    deadLead: "Ya se usó, es demasiado antiguo, es de otra cuenta o la dirección no se puede usar.",
    undoTitle: "Recupera tu dirección",
    undoLead: (email, time) =>
      html`Tu cuenta vuelve a tener ${email}. Se cierran todas sus sesiones, y la dirección no cambia durante ${time}.`,
    undo: "Recuperar la dirección",
    undoneTitle: "Has recuperado tu dirección",
    undoneLead: "Se han cerrado todas las sesiones de tu cuenta.",
    undoneKept: "Tu cuenta iba a eliminarse y se conserva.",
    undoneLink: "Elige ahora una contraseña nueva: te enviamos un enlace por correo.",
    choosePassword: "Elegir una contraseña nueva",
    outOfDate: "El formulario había caducado. Inténtalo de nuevo.",
    mailSubject: (server) => `Confirma tu dirección nueva en ${server}`,
    mailAsked: (server) =>
      `Alguien que ha iniciado sesión en ${server} quiere que esta sea la dirección de su cuenta. Si fuiste tú, abre este enlace en un navegador donde hayas iniciado sesión:`,
    mailButton: "Confirmar la dirección",
    mailFor: plural({
      one: (figure) => `Sirve durante ${figure} minuto.`,
      other: (figure) => `Sirve durante ${figure} minutos.`,
    }),
    mailIgnore: "Si no fuiste tú, no hagas nada.",
    mailUndo: plural({
      one: (figure) =>
        `Durante ${figure} día, el enlace de abajo recupera esta dirección y cierra todas las sesiones.`,
      other: (figure) =>
        `Durante ${figure} días, el enlace de abajo recupera esta dirección y cierra todas las sesiones.`,
    }),
  },
  data: {
    title: "Tus datos",
    open: "Descargar tus datos",
    lead: "Un archivo con todo lo que este servidor guarda sobre ti, en un formato para programas.",
    without: "No contiene contraseñas, claves ni códigos. Guárdalo donde nadie más lo lea.",
    download: "Descargar el archivo",
    schema: "Qué contiene el archivo (JSON Schema)",
  },
  deletion: {
    title: "Eliminar tu cuenta",
    open: "Eliminar tu cuenta",
    lead: (time) =>
      `Se cierran enseguida todas tus sesiones. Tienes ${time} para cambiar de idea; después se eliminan todos tus datos.`,
    goes: "Qué se elimina",
    goesAlways: "Tu nombre, tu imagen, tu dirección y tu contraseña",
    memberships: plural({
      one: (figure) => `${figure} membresía en una organización termina`,
      other: (figure) => `${figure} membresías en organizaciones terminan`,
    }),
    stays: "Los registros de lo ocurrido conservan un identificador en lugar de tu nombre.",
    successorTitle: "Quién se hace cargo",
    successorLead: plural({
      one: (figure) =>
        `Creaste ${figure} aplicación o cuenta de servicio de una organización. Indica qué miembro se hace cargo.`,
      other: (figure) =>
        `Creaste ${figure} aplicaciones y cuentas de servicio de organizaciones. Indica qué miembro se hace cargo.`,
    }),
    successorHint: "Pasan a esa persona enseguida, y siguen siendo suyas aunque cambies de idea.",
    successor: "Correo de quien se hace cargo",
    submit: "Eliminar la cuenta",
    errors: {
      successor:
        "No es un miembro activo de todas las organizaciones a las que pertenecen las aplicaciones y cuentas de servicio.",
      last_administrator: "Eres la última persona que administra la plataforma. Nombra antes a otra.",
      last_owner:
        "Eres la última persona propietaria de una organización. Nombra antes a otra, o elimina la organización.",
    },
    askedTitle: "Tu cuenta se eliminará",
    asked: (day) =>
      html`Se han cerrado todas tus sesiones. Inicia sesión antes del ${day} para conservar la cuenta.`,
    undoTitle: "¿Conservar tu cuenta?",
    undoLead: (day) => html`Se eliminará el ${day}. Si la conservas, entrarás como antes.`,
    undo: "Conservar la cuenta",
    undoneTitle: "Tu cuenta se conserva",
    undoneLead:
      "Inicia sesión como antes. Las claves de API y el acceso de las aplicaciones hay que darlos de nuevo.",
    signIn: "Iniciar sesión",
    deadTitle: "Aquí no hay nada que deshacer",
    deadLead: "Inicia sesión de nuevo, o la cuenta ya se ha conservado o eliminado.",
    mailUntil: (day) =>
      `Se eliminará con todo lo tuyo el ${day}. Hasta entonces, el enlace de abajo la conserva.`,
  },
};
