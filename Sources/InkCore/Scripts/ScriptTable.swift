// Made by scripts/make-unicode-tables from the Unicode Character Database 15.0.0 and CLDR.
// Do not edit. Licence of the data: UNICODE-LICENSE.txt in this folder (Unicode-3.0).

/// The scripts of characters, which Swift's Unicode properties lack.
enum ScriptTable {
  /// For each script `CODE:FLAGS` and the ranges of its scalars. The flags: `r` from right to left,
  /// `v` from top to bottom, `c` with case. A range may hold scalars of no script.
  static let scripts = """
    Adlm:rc 1E900-1E95F
    Aghb: 10530-1056F
    Ahom: 11700-11746
    Arab:r 600-604 606-60B 60D-61A 61C-61E 620-63F 641-64A 656-66F 671-6DC 6DE-6FF 750-77F 870-8E1
    8E3-8FF FB50-FD3D FD40-FDFF FE70-FEFC 10E60-10E7E 10EFD-10EFF 1EE00-1EEF1
    Armi:r 10840-1085F
    Armn:c 531-58F FB13-FB17
    Avst:r 10B00-10B3F
    Bali: 1B00-1B7E
    Bamu: A6A0-A6F7 16800-16A38
    Bass: 16AD0-16AF5
    Batk: 1BC0-1BFF
    Beng: 980-9FE
    Bhks: 11C00-11C6C
    Bopo: 2EA-2EB 3105-312F 31A0-31BF
    Brah: 11000-1107F
    Brai: 2800-28FF
    Bugi: 1A00-1A1F
    Buhd: 1740-1753
    Cakm: 11100-11147
    Cans: 1400-167F 18B0-18F5 11AB0-11ABF
    Cari: 102A0-102D0
    Cham: AA00-AA5F
    Cher:c 13A0-13FD AB70-ABBF
    Chrs:r 10FB0-10FCB
    Copt:c 3E2-3EF 2C80-2CFF
    Cpmn: 12F90-12FF2
    Cprt:r 10800-1083F
    Cyrl:c 400-484 487-52F 1C80-1C88 1D2B 1D78 2DE0-2DFF A640-A69F FE2E-FE2F 1E030-1E08F
    Deva: 900-950 955-963 966-97F A8E0-A8FF 11B00-11B09
    Diak: 11900-11959
    Dogr: 11800-1183B
    Dsrt:c 10400-1044F
    Dupl: 1BC00-1BC9F
    Egyp: 13000-13455
    Elba: 10500-10527
    Elym:r 10FE0-10FF6
    Ethi: 1200-1399 2D80-2DDE AB01-AB2E 1E7E0-1E7FE
    Geor: 10A0-10FA 10FC-10FF 1C90-1CBF 2D00-2D2D
    Glag:c 2C00-2C5F 1E000-1E02A
    Gong: 11D60-11DA9
    Gonm: 11D00-11D59
    Goth: 10330-1034A
    Gran: 11300-11339 1133C-11374
    Grek:c 370-373 375-37D 37F-384 386 388-3E1 3F0-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF
    1F00-1FFE 2126 AB65 10140-1018E 101A0 1D200-1D245
    Gujr: A81-AFF
    Guru: A01-A76
    Hang: 1100-11FF 302E-302F 3131-318E 3200-321E 3260-327E A960-A97C AC00-D7FB FFA0-FFDC
    Hani: 2E80-2FD5 3005 3007 3021-3029 3038-303B 3400-4DBF 4E00-9FFF F900-FAD9 16FE2-16FE3
    16FF0-16FF1 20000-323AF
    Hano: 1720-1734
    Hatr:r 108E0-108FF
    Hebr:r 591-5F4 FB1D-FB4F
    Hira: 3041-3096 309D-309F 1B001-1B11F 1B132-1B152 1F200
    Hluw: 14400-14646
    Hmng: 16B00-16B8F
    Hmnp: 1E100-1E14F
    Hung:rc 10C80-10CFF
    Ital: 10300-1032F
    Java: A980-A9CD A9D0-A9DF
    Kali: A900-A92D A92F
    Kana: 30A1-30FA 30FD-30FF 31F0-31FF 32D0-32FE 3300-3357 FF66-FF6F FF71-FF9D 1AFF0-1B000
    1B120-1B122 1B155-1B167
    Kawi: 11F00-11F59
    Khar:r 10A00-10A58
    Khmr: 1780-17F9 19E0-19FF
    Khoj: 11200-11241
    Kits: 16FE4 18B00-18CD5
    Knda: C80-CF3
    Kthi: 11080-110CD
    Lana: 1A20-1AAD
    Laoo: E81-EDF
    Latn:c 41-5A 61-7A AA BA C0-D6 D8-F6 F8-2B8 2E0-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77
    1D79-1DBE 1E00-1EFF 2071 207F 2090-209C 212A-212B 2132 214E 2160-2188 2C60-2C7F A722-A787
    A78B-A7FF AB30-AB5A AB5C-AB64 AB66-AB69 FB00-FB06 FF21-FF3A FF41-FF5A 10780-107BA 1DF00-1DF2A
    Lepc: 1C00-1C4F
    Limb: 1900-194F
    Lina: 10600-10767
    Linb: 10000-100FA
    Lisu: A4D0-A4FF 11FB0
    Lyci: 10280-1029C
    Lydi:r 10920-1093F
    Mahj: 11150-11176
    Maka: 11EE0-11EF8
    Mand:r 840-85E
    Mani:r 10AC0-10AF6
    Marc: 11C70-11CB6
    Medf:c 16E40-16E9A
    Mend:r 1E800-1E8D6
    Merc:r 109A0-109FF
    Mero:r 10980-1099F
    Mlym: D00-D7F
    Modi: 11600-11659
    Mong:v 1800-1801 1804 1806-18AA 11660-1166C
    Mroo: 16A40-16A6F
    Mtei: AAE0-AAF6 ABC0-ABF9
    Mult: 11280-112A9
    Mymr: 1000-109F A9E0-A9FE AA60-AA7F
    Nagm: 1E4D0-1E4F9
    Nand: 119A0-119E4
    Narb:r 10A80-10A9F
    Nbat:r 10880-108AF
    Newa: 11400-11461
    Nkoo:r 7C0-7FF
    Nshu: 16FE1 1B170-1B2FB
    Ogam: 1680-169C
    Olck: 1C50-1C7F
    Orkh:r 10C00-10C48
    Orya: B01-B77
    Osge:c 104B0-104FB
    Osma: 10480-104A9
    Ougr:r 10F70-10F89
    Palm:r 10860-1087F
    Pauc: 11AC0-11AF8
    Perm: 10350-1037A
    Phag:v A840-A877
    Phli:r 10B60-10B7F
    Phlp:r 10B80-10BAF
    Phnx:r 10900-1091F
    Plrd: 16F00-16F9F
    Prti:r 10B40-10B5F
    Rjng: A930-A95F
    Rohg:r 10D00-10D39
    Runr: 16A0-16EA 16EE-16F8
    Samr:r 800-83E
    Sarb:r 10A60-10A7F
    Saur: A880-A8D9
    Sgnw: 1D800-1DAAF
    Shaw: 10450-1047F
    Shrd: 11180-111DF
    Sidd: 11580-115DD
    Sind: 112B0-112F9
    Sinh: D81-DF4 111E1-111F4
    Sogd:r 10F30-10F59
    Sogo:r 10F00-10F27
    Sora: 110D0-110F9
    Soyo: 11A50-11AA2
    Sund: 1B80-1BBF 1CC0-1CC7
    Sylo: A800-A82C
    Syrc:r 700-74F 860-86A
    Tagb: 1760-1773
    Takr: 11680-116C9
    Tale: 1950-1974
    Talu: 1980-19DF
    Taml: B82-BFA 11FC0-11FFF
    Tang: 16FE0 17000-18AFF 18D00-18D08
    Tavt: AA80-AADF
    Telu: C00-C7F
    Tfng: 2D30-2D7F
    Tglg: 1700-171F
    Thaa:r 780-7B1
    Thai: E01-E3A E40-E5B
    Tibt: F00-FD4 FD9-FDA
    Tirh: 11480-114D9
    Tnsa: 16A70-16AC9
    Toto: 1E290-1E2AE
    Ugar: 10380-1039F
    Vaii: A500-A62B
    Vith:c 10570-105BC
    Wara:c 118A0-118FF
    Wcho: 1E2C0-1E2FF
    Xpeo: 103A0-103D5
    Xsux: 12000-12543
    Yezi:r 10E80-10EB1
    Yiii: A000-A4C6
    Zanb: 11A00-11A47
    """

  /// The digits of numbers that are written from right to left, with the highest digit first.
  static let rightToLeftDigits = """
    7C0-7C9 1E950-1E959
    """
}
