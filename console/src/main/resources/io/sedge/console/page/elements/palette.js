// Colours of lines: apart from each other for most eyes, on light and on dark ground.
const LIGHT = ['#1b6e45', '#2f62c9', '#c2571a', '#8b3fb0', '#0e8a9b', '#b3261e', '#7a6a00', '#5b6b7a', '#c0378a', '#3c8f2e', '#5a4fcf', '#946032'];
const DARK = ['#5cc792', '#7aa7ff', '#ff9d5c', '#d08cf0', '#4dd0e1', '#ff8a80', '#e6cf4d', '#a9bac9', '#ff8ac8', '#9be06f', '#a79fff', '#dba878'];

export const dark = () => document.documentElement.dataset.theme === 'dark';
export const colour = (i) => (dark() ? DARK : LIGHT)[i % LIGHT.length];
export const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
