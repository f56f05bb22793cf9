// One colour for each family of arms, told apart by people who see colours differently, too (after
// Okabe and Ito), lighter and darker within the family; dashes and points differ as well.

const families = [
  {begins: 'copy-engine', light: ['#0072b2', '#3a92c9', '#004a75'], dark: ['#56b4e9', '#8fcdf2', '#2f8fc7']},
  {begins: 'communicator', light: ['#5b5f66'], dark: ['#c3c9d0']},
  {begins: 'nccl', light: ['#d55e00', '#e69f00', '#9c4500', '#b8860b'], dark: ['#f0853a', '#f2b950', '#c9651d', '#d9a441']},
  {begins: 'mpi', light: ['#007a59', '#3fa588'], dark: ['#2fc49a', '#7fdcc1']},
  {begins: 'push', light: ['#a3447a', '#cc79a7', '#7a2d59'], dark: ['#df93bd', '#efb9d6', '#c26a9b']},
  {begins: 'hybrid', light: ['#6a51a3'], dark: ['#b3a1e6']},
  {begins: 'pytorch', light: ['#8c2d04', '#b5651d'], dark: ['#e0936b', '#f0b899']},
  {begins: '', light: ['#7a6a00', '#57606a'], dark: ['#d8c84a', '#a3adb8']},
];
const dashes = [[], [6, 3], [9, 3], [12, 3]];
const points = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star'];

function isDark() {
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** A colour of page.css. */
function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The arm whose colour it has: its own, without what it leaves out or that it runs again. */
function baseOf(arm) {
  return arm.replace(/-(bare|again)$/, '');
}

/** What an arm is drawn with, among the arms of one report. */
function lookOf(arm, arms) {
  const family = families.find((each) => arm.startsWith(each.begins));
  const members = [...new Set(arms.filter((each) => families.find((one) => each.startsWith(one.begins)) === family).map(baseOf))];
  const place = Math.max(0, members.indexOf(baseOf(arm)));
  const shades = isDark() ? family.dark : family.light;
  return {
    colour: shades[place % shades.length],
    dash: arm.endsWith('-bare') ? [2, 3] : dashes[Math.floor(place / shades.length) % dashes.length],
    point: points[place % points.length],
  };
}

/** The parts of a stage, in the order in which they stand in a bar. */
function stageColours() {
  return isDark() ? {compute: '#6f7a86', hidden: '#56b4e9', exposed: '#f0853a'}
                  : {compute: '#a9b1ba', hidden: '#0072b2', exposed: '#d55e00'};
}

function withAlpha(colour, alpha) {
  return colour + Math.round(alpha * 255).toString(16).padStart(2, '0');
}
