import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `Tu contraseña en ${server} ha cambiado`,
      says: (server, time) =>
        `La contraseña de la cuenta que tiene esta dirección en ${server} se cambió el ${time}.`,
    },
    email: {
      subject: (server) => `El correo de tu cuenta en ${server} ha cambiado`,
      says: (server, time) =>
        `La cuenta que tenía esta dirección en ${server} recibió otra el ${time}. Los correos sobre ella llegan ahora allí.`,
    },
    email_here: {
      subject: (server) => `Esta es ahora la dirección de tu cuenta en ${server}`,
      says: (server, time) =>
        `Una cuenta en ${server} tiene esta dirección desde el ${time}. Con ella inicias sesión, y aquí llegan los correos sobre la cuenta.`,
    },
    factor_added: {
      subject: (server) => `Se añadió una aplicación de autenticación en ${server}`,
      says: (server, time, name) =>
        `La aplicación de autenticación «${name}» se añadió a tu cuenta en ${server} el ${time}.`,
    },
    factor_removed: {
      subject: (server) => `Se quitó una aplicación de autenticación en ${server}`,
      says: (server, time, name) =>
        `La aplicación de autenticación «${name}» se quitó de tu cuenta en ${server} el ${time}.`,
    },
    recovery_codes: {
      subject: (server) => `Tienes códigos de recuperación nuevos en ${server}`,
      says: (server, time) =>
        `El ${time} se crearon códigos de recuperación nuevos para tu cuenta en ${server}. Los anteriores ya no sirven.`,
    },
    recovery_code_used: {
      subject: (server) => `Se usó un código de recuperación en ${server}`,
      says: (server, time) => `El ${time} se usó un código de recuperación de tu cuenta en ${server}.`,
    },
    device_remembered: {
      subject: (server) => `Un navegador queda recordado en ${server}`,
      says: (server, time) =>
        `Un navegador que inició sesión en tu cuenta de ${server} el ${time} queda recordado: durante unos días no pide tu segundo factor. Tu cuenta muestra esos navegadores en «Sesiones».`,
    },
    passkey_added: {
      subject: (server) => `Se añadió una llave de acceso en ${server}`,
      says: (server, time, name) =>
        `La llave de acceso «${name}» se añadió a tu cuenta en ${server} el ${time}.`,
    },
    passkey_removed: {
      subject: (server) => `Se quitó una llave de acceso en ${server}`,
      says: (server, time, name) =>
        `La llave de acceso «${name}» se quitó de tu cuenta en ${server} el ${time}.`,
    },
    passkey_copied: {
      subject: (server) => `Puede que hayan copiado una llave de acceso en ${server}`,
      says: (server, time, name) =>
        `La llave de acceso «${name}» de tu cuenta en ${server} se rechazó el ${time}, porque respondió como si existiera una copia. Quítala y añade una nueva.`,
    },
    link_added: {
      subject: (server) => `Se vinculó otra cuenta en ${server}`,
      says: (server, time, name) => `El ${time} se vinculó una cuenta de «${name}» a tu cuenta en ${server}.`,
    },
    link_removed: {
      subject: (server) => `Se quitó una cuenta vinculada en ${server}`,
      says: (server, time, name) =>
        `El ${time} se quitó el vínculo de tu cuenta en ${server} con una cuenta de «${name}».`,
    },
    api_key: {
      subject: (server) => `Se creó una clave de API en ${server}`,
      says: (server, time, name) =>
        `La clave de API «${name}» se creó para tu cuenta en ${server} el ${time}. Los programas que la tengan pueden actuar en tu nombre.`,
    },
    api_key_changed: {
      subject: (server) => `Se cambió una clave de API en ${server}`,
      says: (server, time, name) =>
        `El ${time} cambió lo que puede hacer la clave de API «${name}» de tu cuenta en ${server}, o cuánto tiempo vale.`,
    },
    new_device: {
      subject: (server) => `Inicio de sesión desde un dispositivo nuevo en ${server}`,
      says: (server, time) =>
        `El ${time} se inició sesión en tu cuenta de ${server} desde un navegador con el que no la habíamos visto antes.`,
    },
    wrong_factor: {
      subject: (server) => `Puede que alguien conozca tu contraseña en ${server}`,
      says: (server, time) =>
        `El ${time} alguien escribió la contraseña correcta de tu cuenta en ${server} y después códigos erróneos.`,
    },
    recovery_started: {
      subject: (server) => `Solicitud para sustituir tus segundos factores en ${server}`,
      says: (server, time) =>
        `El ${time} se comunicó la pérdida de todos los segundos factores de tu cuenta en ${server}. Se confirmó con tu contraseña y un código de este buzón.`,
    },
    recovery_halfway: {
      subject: (server) => `Recordatorio: tus segundos factores en ${server} se van a sustituir`,
      says: (server) =>
        `Hay una solicitud pendiente para sustituir los segundos factores de tu cuenta en ${server}. Ha pasado la mitad del plazo.`,
    },
    recovery_ready: {
      subject: (server) => `Ya se pueden sustituir tus segundos factores en ${server}`,
      says: (server) =>
        `Ha terminado el tiempo tras el cual se pueden sustituir los segundos factores de tu cuenta en ${server}.`,
    },
    recovery_cancelled: {
      subject: (server) => `Se canceló la sustitución de tus segundos factores en ${server}`,
      says: (server, time) =>
        `El ${time} se canceló la sustitución de los segundos factores de tu cuenta en ${server}.`,
    },
    recovery_finished: {
      subject: (server) => `Se quitaron tus segundos factores en ${server}`,
      says: (server, time) =>
        `Las llaves de acceso, aplicaciones de autenticación y códigos de recuperación de tu cuenta en ${server} se quitaron el ${time}, tras la espera anunciada. Se cerraron todas tus sesiones.`,
    },
    removal_started: {
      subject: (server) => `Solicitud para quitar tu llave de acceso en ${server}`,
      says: (server, time) =>
        `El ${time} se comunicó la pérdida de la llave de acceso de tu cuenta en ${server}. Se confirmó con otros dos factores y un código de este buzón.`,
    },
    removal_halfway: {
      subject: (server) => `Recordatorio: tu llave de acceso en ${server} se va a quitar`,
      says: (server) =>
        `La llave de acceso de tu cuenta en ${server} se va a quitar, porque se dio por perdida. Ha pasado la mitad del plazo.`,
    },
    removal_ready: {
      subject: (server) => `Tu llave de acceso en ${server} se quitará pronto`,
      says: (server) =>
        `La llave de acceso de tu cuenta en ${server} se va a quitar, porque se dio por perdida. El plazo está a punto de terminar.`,
    },
    removal_cancelled: {
      subject: (server) => `Se canceló la retirada de tu llave de acceso en ${server}`,
      says: (server, time) =>
        `El ${time} se canceló que se quite la llave de acceso de tu cuenta en ${server}.`,
    },
    removal_finished: {
      subject: (server) => `Se quitó una llave de acceso perdida en ${server}`,
      says: (server, time, name) =>
        `Tras la espera anunciada, la llave de acceso «${name}» de tu cuenta en ${server} se quitó el ${time}. Desde ahora confirmas los cambios de tu cuenta con tus otros factores.`,
    },
    factors_reset: {
      subject: (server) => `Se quitaron tus segundos factores en ${server}`,
      says: (server, time) =>
        `El ${time} un administrador quitó las llaves de acceso, las aplicaciones de autenticación y los códigos de recuperación de tu cuenta en ${server}. Al volver a entrar recibirás un código por correo y podrás configurar otros nuevos.`,
    },
    secured: {
      subject: (server) => `Tu cuenta en ${server} se ha protegido`,
      says: (server, time) =>
        `El ${time} indicaste que la actividad de tu cuenta en ${server} no era tuya. Todo lo creado desde entonces se ha revocado.`,
    },
    deletion: {
      subject: (server) => `Tu cuenta en ${server} se eliminará`,
      says: (server, time) =>
        `El ${time} se cerraron todas tus sesiones, porque tu cuenta en ${server} se va a eliminar.`,
    },
    deleted: {
      subject: (server) => `Tu cuenta en ${server} está eliminada`,
      says: (server, time) => `La cuenta que tenía esta dirección en ${server} se eliminó el ${time}.`,
    },
  },
  withCodes: "Con ella se creó un juego de códigos de recuperación.",
  codesLeft: plural({
    one: (figure) => `Te queda ${figure} código de recuperación.`,
    other: (figure) => `Te quedan ${figure} códigos de recuperación.`,
  }),
  device: (device, address) => `Dispositivo: ${device}. Dirección: ${address}.`,
  onSystem: (browser, system) => `${browser} en ${system}`,
  unknownDevice: "desconocido",
  unknownAddress: "desconocida",
  own: "Si fuiste tú, no tienes que hacer nada.",
  notMe: "Si no fuiste tú, protege tu cuenta cuanto antes:",
  notMeLink: "No fui yo",
  tellAdministrator: "Si no fuiste tú, avisa a quien administra el servidor.",
  endpoint: {
    subject: (owner) => `Se desactivó un destino de webhooks de ${owner}`,
    gone: (owner, time) =>
      `Un destino de webhooks de ${owner} se desactivó el ${time}: el receptor respondió que ya no existe (410).`,
    failing: (owner, time) =>
      `Un destino de webhooks de ${owner} se desactivó el ${time}: no aceptó ningún evento durante tres días.`,
    kept: (position) =>
      `Recibió todos los eventos hasta la posición ${position}. Los posteriores se conservan. Al activarlo, elige si continúa ahí o con eventos nuevos.`,
    link: "Abrir el destino",
  },
  secure: {
    title: "Protege tu cuenta",
    lead: "Puede que otra persona haya usado tu cuenta. Sigue estos pasos en orden.",
    password: "Elegir una contraseña nueva",
    passwordHint: "Cierra todas tus sesiones y quita el acceso a todas las aplicaciones.",
    sessions: "Ver dónde has iniciado sesión",
    sessionsHint: "Cierra las sesiones que no reconozcas.",
    factors: "Ver con qué inicias sesión",
    factorsHint: "Quita las llaves de acceso y aplicaciones de autenticación que no sean tuyas.",
    links: "Ver tus cuentas vinculadas",
    linksHint: "Quita las que no sean tuyas.",
    keys: "Ver tus claves de API",
    keysHint: "Revoca las que no hayas creado tú.",
    ask: "¿No puedes entrar, o la dirección de la cuenta ya no es la tuya? Avisa a quien administra el servidor.",
  },
};
