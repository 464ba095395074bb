export enum Size { Small = 1 }
