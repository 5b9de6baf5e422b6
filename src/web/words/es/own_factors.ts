import { html } from "../../html/html.ts";
import type { OwnFactorsWords } from "../en/own_factors.ts";

export const ownFactorsWords: OwnFactorsWords = {
  apps: {
    title: "Aplicaciones de autenticación",
    lead: "Una aplicación de tu teléfono muestra un código que se pide después de la contraseña.",
    none: "Todavía no tienes ninguna aplicación de autenticación.",
    name: "Nombre",
    added: "Añadida",
    lastUsed: "Último uso",
    never: "Todavía no",
    rename: "Cambiar el nombre",
    renameOf: (name) => html`Cambiar el nombre: ${name}`,
    remove: "Eliminar",
    removeOf: (name) => html`Eliminar: ${name}`,
    add: "Añadir una aplicación de autenticación",
  },
  enrol: {
    title: "Añadir una aplicación de autenticación",
    lead: (time) => `Sirve cualquier aplicación de códigos de un solo uso. Dale esta clave antes de ${time}.`,
    scan: "Escanea la imagen",
    qr: "La clave como código QR",
    type: "O escribe la clave",
    open: "Abrirla en una aplicación de este dispositivo",
    name: "Nombre de la aplicación o del dispositivo",
    optionalName: "Nombre de la aplicación o del dispositivo (opcional)",
    nameHelp: "Distingue tus aplicaciones, por ejemplo: mi teléfono.",
    suggested: "Aplicación de autenticación",
    tooMany: "Tienes tantas aplicaciones de autenticación como guarda este servidor. Elimina una primero.",
    submit: "Añadir",
    cancel: "Cancelar",
  },
  mailbox: {
    title: "Confirma tu correo",
    lead: (time) =>
      `Aún no llevas ${time} usando este dispositivo, así que también hace falta un código por correo.`,
    sent: (email) => html`Hemos enviado un código a ${email}.`,
    code: "Código del correo",
    submit: "Continuar",
    wrong: "Ese no es el código del último correo.",
    ended: "Ese código es demasiado antiguo o se probó demasiadas veces. Empieza de nuevo.",
    too_many: "Se han enviado demasiados códigos. Inténtalo de nuevo más tarde.",
    back: "Volver",
    noMailTitle: "Todavía no en este dispositivo",
    noMail: (time) =>
      `Este servidor no envía correo, así que tu primera llave de acceso o aplicación de autenticación requiere un dispositivo que lleves usando al menos ${time}. Así estás protegido si alguien averigua tu contraseña.`,
    noMailFrom: (when) => html`En este dispositivo podrás hacerlo a partir de: ${when}.`,
    noMailUnknown: "Para hacerlo en este dispositivo, primero cierra sesión y vuelve a iniciarla.",
    mailSubject: (server) => `Tu código para ${server}`,
    mailAsked: {
      factor: (server) =>
        `Alguien que ha iniciado sesión en tu cuenta de ${server} quiere añadir una llave de acceso o una aplicación de autenticación. Si eres tú, escribe este código:`,
      email: (server) =>
        `Alguien que ha iniciado sesión en tu cuenta de ${server} quiere cambiar su dirección de correo. Si eres tú, escribe este código:`,
    },
    mailIgnore: "Si no has sido tú, alguien conoce tu contraseña: cámbiala y no des este código a nadie.",
  },
  renaming: { title: "Cambiar el nombre de la aplicación de autenticación", submit: "Cambiar el nombre" },
  removing: {
    title: (name) => `¿Eliminar ${name}?`,
    lead: "Sus códigos dejarán de servir para iniciar sesión. Lo demás sigue como está.",
    lastLead:
      "Es tu último segundo factor: tu cuenta quedará protegida solo por el primero y tus códigos de recuperación dejarán de valer.",
    submit: "Eliminar",
  },
  codes: {
    title: "Códigos de recuperación",
    lead: "Cada uno sustituye una vez a un segundo factor que hayas perdido.",
    made: (day) => html`Creados el ${day}.`,
    none: "Todavía no tienes códigos de recuperación.",
    allUsed: "Has usado todos tus códigos de recuperación.",
    few: "Quedan pocos. Crea otros a tiempo.",
    alone:
      "Tienes un solo segundo factor. Sin él, solo puede ayudarte un administrador: crea códigos de recuperación o añade otro factor.",
    make: "Crear códigos nuevos",
    makeFirst: "Crear códigos de recuperación",
    newTitle: "Tus códigos de recuperación",
    newLead: "Imprímelos o guárdalos donde guardas tus contraseñas. Solo se muestran ahora.",
    finishAdds: (name) => html`Termina esta página para activar los códigos y añadir «${name}».`,
    finishFirst: "Termina esta página para activar los códigos.",
    finishReplaces: "Termina esta página para activar los códigos. Entonces sustituyen a los anteriores.",
    shownBefore: "Los códigos ya se mostraron una vez. Si no los guardaste, crea otros.",
    stored: "He guardado estos códigos",
    finish: "Terminar",
    makeOthers: "Crear otros códigos",
  },
  waiting: {
    title: "Aún sin añadir",
    lead: (name, when) =>
      html`«${name}» funcionará cuando hayas guardado tus códigos de recuperación. Termina antes de: ${when}.`,
    discard: "No añadir",
  },
  undo: {
    title: "¿No has sido tú?",
    lead: "Deja de servir todo lo creado con tu cuenta desde ese inicio de sesión. Se cierra la sesión en todos los dispositivos y recibes por correo un enlace para una contraseña nueva.",
    submit: "No he sido yo",
    doneTitle: "Tu cuenta está protegida",
    doneLead:
      "Se ha cerrado la sesión en todos los dispositivos, y lo creado desde ese inicio de sesión ya no sirve.",
    done: "Puede que alguien conozca tu contraseña: elige otra con el enlace que tienes en tu correo.",
    moved:
      "Tu cuenta tiene ahora otra dirección. Si no la has cambiado tú, usa el enlace del correo sobre ese cambio.",
    reset: "Pedir otro enlace",
    deadTitle: "Este enlace ha caducado o ya se ha usado",
    dead: (time) => `Un enlace así sirve una vez, durante ${time}.`,
    secure: "Proteger tu cuenta",
  },
};
