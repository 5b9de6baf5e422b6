/**
 * Passwords that are tried first because they are chosen most (requirements L-13, ASVS 6.2.4). What people choose is a
 * word or a row of keys, often with a few digits behind it and a capital in front, so the list is written as words and
 * endings and made when it is first asked for.
 */

const words =
  `password passw0rd p@ssw0rd p@ssword pa55word pa55w0rd passwort motdepasse contrasena senha parola
qwerty qwertz azerty qwertyuiop qazwsx qazwsxedc 1q2w3e4r 1qaz2wsx zaq12wsx asdfgh asdfghjkl zxcvbn zxcvbnm asdf zxcv qwer
admin administrator root superuser sysadmin webmaster manager master system server database oracle postgres mysql
welcome login letmein access secret changeme default guest testing test temp user username login123 hello
iloveyou ilovegod loveme lovely love princess sunshine football baseball basketball soccer hockey superman batman spiderman
pokemon naruto starwars dragon monkey shadow michael jordan jennifer jessica charlie daniel ashley nicole andrew
thomas robert william joshua matthew anthony samantha elizabeth alexander benjamin christian jonathan victoria
computer internet samsung google facebook youtube linkedin twitter microsoft windows android apple iphone nokia motorola
whatever trustno1 freedom forever nothing something blink182 liverpool arsenal chelsea barcelona realmadrid juventus
manchester england london america canada brazil germany france chicago newyork texas california dallas cowboys yankees
lakers steelers eagles packers broncos patriots redsox mustang corvette ferrari porsche mercedes harley yamaha honda
chocolate cookie butterfly flower rainbow purple orange silver golden diamond crystal angel angels heaven jesus christ
blessed family mother daddy mommy babygirl babyboy sweetie honey cutie pretty beautiful hottie sexy
summer winter spring autumn january february march april august september october november december
monday tuesday wednesday thursday friday saturday sunday killer hunter ranger warrior matrix phoenix merlin
gandalf starcraft warcraft minecraft fortnite playstation nintendo asshole fuckyou fuckoff bullshit pussy
tigger buster ginger pepper maggie bailey cooper sparky rocky lucky snoopy garfield mickey scooter peanut banana
cheese chicken pizza coffee guitar music metallica nirvana slipknot eminem sports tennis golf swimming dolphin
tiger lion panther falcon wolf eagle bear horse kitty puppy doggy qwe123 abc123 abcd1234 aa123456 a123456
company business office network security firewall cisco router support helpdesk backup training student teacher school
gfhjkm marina natasha ktyjxrf tinkle pass mypassword mypass newpass newpassword password! company123 welcome!`
    .split(/\s+/)
    .filter((word) => word !== "");

const endings =
  `1 2 3 7 8 9 01 11 12 13 21 22 23 69 77 88 99 00 007 101 111 123 321 666 777 888 999 1234 4321 12345 123456 1234567 12345678 123456789
! !! @ # $ . ? * 1! 12! 123! 123@ 1234! @1 @12 @123 @1234 #1 #123 _123 -123 .123 123. !1 !123 abc 123abc xxx qwe
1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 2010 2011 2012 2013 2014 2015
2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 @2020 @2021 @2022 @2023 @2024 @2025 @2026 2020! 2021! 2022! 2023! 2024! 2025! 2026!`.split(
    /\s+/,
  );

/** Walks over the keyboard and along the alphabet; any stretch of 8 or more, in both directions. */
const rows = [
  "12345678901234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "abcdefghijklmnopqrstuvwxyz",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "qazwsxedcrfvtgbyhnujmikolp",
  "zaq12wsxcde34rfvbgt5",
  "!qaz2wsx#edc4rfv",
  "1qaz@wsx3edc$rfv",
  "a1b2c3d4e5f6g7h8i9j0",
  "aa11bb22cc33dd44",
  "0123456789abcdef",
  "!@#$%^&*()_+",
  "qweasdzxcrtyfghvbn",
  "123qweasdzxc",
  "1234qwerasdfzxcv",
  "qwer1234asdf5678",
  "asdf1234zxcv5678",
  "147258369",
  "159357258",
  "741852963",
  "789456123",
  "98765432109876543210",
  "13579246801357924680",
  "112233445566778899",
  "121212121212",
  "123123123123",
  "123321123321",
  "11223344",
  "102030405060",
  "qweqweqwe",
  "asdasdasd",
  "zxczxczxc",
  "abcabcabc",
  "123abc123abc",
  "qwe123qwe123",
];

const shortest = 8;

function commonPasswords(): Set<string> {
  const list = new Set<string>();
  const add = (text: string) => {
    if (text.length >= shortest) list.add(text);
  };
  for (const word of words) {
    add(word);
    add(word + word);
    for (const ending of endings) add(word + ending);
  }
  for (const row of rows) {
    for (const walk of [row, [...row].toReversed().join("")]) {
      for (let from = 0; from + shortest <= walk.length; from++) {
        for (let to = from + shortest; to <= walk.length; to++) add(walk.slice(from, to));
      }
    }
  }
  return list;
}

let list: Set<string> | undefined;

/**
 * Whether a password of 8 characters or more is among those tried first. Case makes no difference: a capital letter in
 * front is the first thing a guesser adds. One or two characters repeated are common whatever they are.
 */
export function isCommonPassword(password: string): boolean {
  list ??= commonPasswords();
  return new Set(password).size <= 2 || list.has(password.toLowerCase());
}
