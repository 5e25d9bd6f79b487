// Drawings of 20 by 20, in the colour of the text beside them.
import {svg} from 'lit-html';

const PATHS = {
  overview: 'M3 11l7-7 7 7M5 9v8h10V9',
  data: 'M3 17h14M4 13l4-5 3 3 5-7',
  job: 'M4 4h5v4H4zM11 12h5v4h-5zM6.5 8v6H11',
  jobs: 'M4 4h5v4H4zM11 12h5v4h-5zM6.5 8v6H11',
  alarms: 'M5 14V9a5 5 0 0 1 10 0v5M3.5 14h13M8.5 17h3M10 2.5V4',
  logs: 'M4 5h12M4 10h12M4 15h7',
  'what-if': 'M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.5-1.1 1-1.1 1.8M10 15v.1M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15',
  sites: 'M3 17V8l5-3v12M8 9l9 3v5M3 17h14M12 14v.1M15 15v.1',
  query: 'M4 6l4 4-4 4M10 14h6',
  audit: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  settings: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  theme: 'M10 3a7 7 0 1 0 7 7 5 5 0 0 1-7-7',
};

export const icon = (name) =>
  svg`<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${PATHS[name] ?? PATHS.overview}></path></svg>`;
